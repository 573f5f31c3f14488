using Microsoft.Win32.SafeHandles;

namespace Restore.Interop;

/// <summary>
/// Makes files, and the names in a folder, safe from a power failure, as far as the system supports
/// that.
/// </summary>
internal static class DeviceFlush
{
    private const int Interrupted = 4;
    private const int AccessDenied = 13;

    // EINVAL, and EROFS and ENOTSUP of files that need no flush.
    private const int Unsupported = 22;
    private const int ReadOnly = 30;
    private const int NotSupported = 95;

    /// <summary>
    /// Waits until the device has a file. .NET's own call ignores a device that fails or is full.
    /// </summary>
    public static void Flush(SafeFileHandle file, string path)
    {
        if (!OperatingSystem.IsLinux())
        {
            RandomAccess.FlushToDisk(file);
        }
        else if (
            Repeated(() => Libc.FSync(file)) < 0
            && Marshal.GetLastPInvokeError() is not (Unsupported or ReadOnly or NotSupported)
        )
        {
            throw new IOException(
                $"{path} cannot be flushed: {Marshal.GetLastPInvokeErrorMessage()}",
                Marshal.GetLastPInvokeError()
            );
        }
    }

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
            // A user may have the right to write to a folder, but not to read it.
            return;
        }

        try
        {
            // Some network file systems flush no folder, and say so by EINVAL.
            if (handle < 0 || (Repeated(() => Libc.FSync(handle)) < 0 && Marshal.GetLastPInvokeError() != Unsupported))
            {
                throw new IOException(
                    $"{folder} cannot be flushed: {Marshal.GetLastPInvokeErrorMessage()}",
                    Marshal.GetLastPInvokeError()
                );
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

    private static int Repeated(Func<int> call)
    {
        int result;
        do
        {
            result = call();
        } while (result < 0 && Marshal.GetLastPInvokeError() == Interrupted);
        return result;
    }
}
