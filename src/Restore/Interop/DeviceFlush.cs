using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

#if RESTORE_CLI
namespace Restore.Cli.Interop;
#else
namespace Restore.Interop;
#endif

/// <summary>Makes files, and the names in a folder, safe from a power failure, as far as the system can do it.</summary>
internal static class DeviceFlush
{
    private const int Interrupted = 4;
    private const int AccessDenied = 13;

    // EINVAL, and EROFS and ENOTSUP of files that need no flush.
    private const int Unsupported = 22;
    private const int ReadOnly = 30;
    private const int NotSupported = 95;

    /// <summary>Waits until the device has a file. .NET's own call passes over a device that fails or is full.</summary>
    /// <exception cref="IOException">The device does not take it.</exception>
    public static void Flush(SafeFileHandle file, string path)
    {
        if (!OperatingSystem.IsLinux())
        {
            RandomAccess.FlushToDisk(file);
        }
        else if (Repeated(() => Libc.FSync(file)) < 0 && Marshal.GetLastPInvokeError() is not (Unsupported or ReadOnly or NotSupported))
        {
            throw new IOException($"{path} cannot be flushed: {Marshal.GetLastPInvokeErrorMessage()}");
        }
    }

    /// <exception cref="IOException">The folder cannot be flushed.</exception>
    public static void Flush(string folder)
    {
        if (OperatingSystem.IsWindows())
        {
            // NTFS logs its names.
            return;
        }

        int handle = Libc.Open(folder, 0, 0);
        if (handle < 0 && Marshal.GetLastPInvokeError() == AccessDenied)
        {
            // One may write to some folders, but not read them.
            return;
        }

        try
        {
            // Some network file systems flush no folder, and say so by EINVAL.
            if (handle < 0 || (Repeated(() => Libc.FSync(handle)) < 0 && Marshal.GetLastPInvokeError() != Unsupported))
            {
                throw new IOException($"{folder} cannot be flushed: {Marshal.GetLastPInvokeErrorMessage()}");
            }
        }
        finally
        {
            if (handle >= 0)
            {
                _ = Libc.Close(handle);
            }
        }
    }

    /// <summary>Calls again what a signal interrupted.</summary>
    private static int Repeated(Func<int> call)
    {
        int result;
        do
        {
            result = call();
        }
        while (result < 0 && Marshal.GetLastPInvokeError() == Interrupted);
        return result;
    }
}
