using System.Runtime.InteropServices;

namespace Restore.Interop;

/// <summary>Makes the names in a folder safe from a power failure, as far as the system can do it.</summary>
internal static partial class FolderFlush
{
    private const int Unsupported = 22;

    /// <exception cref="IOException">The folder cannot be flushed.</exception>
    public static void Flush(string folder)
    {
        if (OperatingSystem.IsWindows())
        {
            // NTFS logs its names.
            return;
        }

        int handle = OpenCall(folder, 0);
        try
        {
            // Some network file systems flush no folder, and say so by EINVAL.
            if (handle < 0 || (FlushCall(handle) < 0 && Marshal.GetLastPInvokeError() != Unsupported))
            {
                throw new IOException($"{folder} cannot be flushed: {Marshal.GetLastPInvokeErrorMessage()}");
            }
        }
        finally
        {
            if (handle >= 0)
            {
                _ = CloseCall(handle);
            }
        }
    }

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int OpenCall(string path, int flags);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    private static partial int FlushCall(int handle);

    [LibraryImport("libc", EntryPoint = "close")]
    private static partial int CloseCall(int handle);
}
