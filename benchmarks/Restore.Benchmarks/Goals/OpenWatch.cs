using System.Runtime.InteropServices;
using System.Text;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks.Goals;

/// <summary>Reports when files of a folder are opened (<c>inotify</c>).</summary>
internal sealed unsafe partial class OpenWatch : IDisposable
{
    private const uint Opened = 0x20;
    private const int CloseOnExec = 0x80000;
    private const short Readable = 1;
    private const int EventBytes = 16;
    private const int LengthOffset = 12;
    private const int BufferBytes = 64 << 10;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private readonly int watch;
    private readonly Queue<(string Name, long Time)> opened = new();

    public OpenWatch(string folder)
    {
        watch = Init(CloseOnExec);
        if (watch < 0 || Add(watch, folder, Opened) < 0)
        {
            throw new SuiteException(
                $"{folder} cannot be watched: {Marshal.GetPInvokeErrorMessage(Marshal.GetLastPInvokeError())}."
            );
        }
    }

    /// <summary>
    /// Waits until a file with a part of a name is opened; the time since
    /// <paramref name="started"/>. The next call goes on behind it.
    /// </summary>
    /// <exception cref="SuiteException">That did not happen for a long time.</exception>
    public TimeSpan WaitFor(string part, long started)
    {
        while (true)
        {
            while (opened.TryDequeue(out (string Name, long Time) file))
            {
                if (file.Name.Contains(part, StringComparison.Ordinal))
                {
                    return TimeProvider.System.GetElapsedTime(started, file.Time);
                }
            }

            if (!ReadMore())
            {
                throw new SuiteException($"No file \"{part}\" was opened within {Patience.TotalSeconds:F0} s.");
            }
        }
    }

    private bool ReadMore()
    {
        byte* buffer = stackalloc byte[BufferBytes];
        Request request = new() { Descriptor = watch, Events = Readable };
        int length = Poll(&request, 1, (int)Patience.TotalMilliseconds) > 0 ? (int)Read(watch, buffer, BufferBytes) : 0;
        long now = TimeProvider.System.GetTimestamp();
        for (int offset = 0; offset < length; )
        {
            int nameBytes = *(int*)(buffer + offset + LengthOffset);
            opened.Enqueue((Encoding.UTF8.GetString(buffer + offset + EventBytes, nameBytes), now));
            offset += EventBytes + nameBytes;
        }

        return length > 0;
    }

    public void Dispose() => _ = Close(watch);

    [LibraryImport("libc", EntryPoint = "inotify_init1", SetLastError = true)]
    private static partial int Init(int flags);

    [LibraryImport(
        "libc",
        EntryPoint = "inotify_add_watch",
        SetLastError = true,
        StringMarshalling = StringMarshalling.Utf8
    )]
    private static partial int Add(int watch, string path, uint events);

    [LibraryImport("libc", EntryPoint = "poll")]
    private static partial int Poll(Request* requests, nuint count, int milliseconds);

    [LibraryImport("libc", EntryPoint = "read")]
    private static partial nint Read(int file, byte* buffer, nuint count);

    [LibraryImport("libc", EntryPoint = "close")]
    private static partial int Close(int file);

    [StructLayout(LayoutKind.Sequential)]
    private struct Request
    {
        public int Descriptor;
        public short Events;
        public short Happened;
    }
}
