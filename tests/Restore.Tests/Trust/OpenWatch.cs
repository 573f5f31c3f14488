using System.Runtime.InteropServices;

namespace Restore.Tests.Trust;

/// <summary>Notes whether anybody opened a file (inotify).</summary>
internal sealed unsafe partial class OpenWatch : IDisposable
{
    private readonly int handle;

    public OpenWatch(string path)
    {
        const int NonBlocking = 0x800;
        const uint Open = 0x20;
        handle = Start(NonBlocking);
        Assert.True(handle >= 0);
        Assert.True(Add(handle, path, Open) >= 0);
    }

    public bool WasOpened()
    {
        byte* events = stackalloc byte[4096];
        return Read(handle, events, 4096) > 0;
    }

    public void Dispose() => Assert.Equal(0, Close(handle));

    [LibraryImport("libc", EntryPoint = "inotify_init1")]
    private static partial int Start(int flags);

    [LibraryImport("libc", EntryPoint = "inotify_add_watch", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Add(int handle, string path, uint events);

    [LibraryImport("libc", EntryPoint = "read")]
    private static partial nint Read(int handle, byte* events, nint length);

    [LibraryImport("libc", EntryPoint = "close")]
    private static partial int Close(int handle);
}
