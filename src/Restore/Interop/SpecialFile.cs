using Microsoft.Win32.SafeHandles;

namespace Restore.Interop;

/// <summary>Recognizes paths that look like a file and would make a reader wait.</summary>
internal static class SpecialFile
{
    // ENXIO: what a socket answers; on macOS EOPNOTSUPP.
    private const int NoDevice = 6;
    private const int MacNotSupported = 102;

    private const int FromHere = 1;
    private const int WriteOnly = 1;
    private const int SetFlags = 4;

    private static int NonBlocking => OperatingSystem.IsMacOS() ? 0x100_0004 : 0x8_0800;

    /// <summary>
    /// Refuses a link or a pipe that another user put at the path of one of our files: a link leads
    /// to another file, and a pipe makes its reader wait.
    /// </summary>
    /// <exception cref="IOException">There is a link or a pipe.</exception>
    public static void RefuseAt(string path)
    {
        if (new FileInfo(path).LinkTarget is not null || IsPipe(path))
        {
            throw new IOException($"{path} is a link or a pipe, and not a file that this program has made");
        }
    }

    /// <summary>
    /// Whether a path has something that is neither a file nor a folder: a file that replaced it
    /// would take a device or a pipe away from other programs.
    /// </summary>
    public static bool IsAt(string path)
    {
        if (OperatingSystem.IsLinux())
        {
            Span<byte> buffer = stackalloc byte[NativeText.PathBytes];
            return NativeText.TryEncode(path, buffer, out ReadOnlySpan<byte> encoded)
                && Kernel.StatusFollowing(Kernel.CurrentFolder, encoded, out FileStatus status) >= 0
                && status is { IsFile: false, IsFolder: false };
        }

        return IsPipe(path);
    }

    /// <summary>
    /// Opens a pipe or a terminal for writing, without waiting for a reader; null if no program
    /// reads the pipe, or if it cannot be opened.
    /// </summary>
    public static SafeFileHandle? OpenPipe(string path)
    {
        int handle = Libc.Open(path, WriteOnly | NonBlocking, 0);
        if (handle < 0)
        {
            return null;
        }

        // From here on a slow reader is waited for.
        _ = Libc.Fcntl(handle, SetFlags, WriteOnly);
        return new SafeFileHandle(handle, ownsHandle: true);
    }

    /// <summary>
    /// Whether a path has a pipe, a socket or a terminal: to open or read it would wait for another
    /// program.
    /// </summary>
    public static bool IsPipe(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            return false;
        }

        int handle = Libc.Open(path, NonBlocking, 0);
        if (handle < 0)
        {
            return Marshal.GetLastPInvokeError() == (OperatingSystem.IsMacOS() ? MacNotSupported : NoDevice);
        }

        // Pipes, sockets and terminals have no position.
        bool isPipe = Libc.LSeek(handle, 0, FromHere) < 0;
        _ = Libc.Close(handle);
        return isPipe;
    }
}
