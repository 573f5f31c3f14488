using Microsoft.Win32.SafeHandles;

namespace Restore.Interop;

internal static partial class Windows
{
    private const int AccessDenied = 5;
    private const uint WriteAttributes = 0x100;
    private const uint ShareAll = 7;
    private const uint OpenExisting = 3;
    private const uint FolderOrLinkItself = 0x0220_0000;

    /// <summary>Opens a file, folder or link to change its times. System.IO opens no folder for that, and follows a link.</summary>
    /// <exception cref="IOException">It is not there, or cannot be opened.</exception>
    /// <exception cref="UnauthorizedAccessException">The user may not change it.</exception>
    public static SafeFileHandle OpenForTimes(string fullPath)
    {
        SafeFileHandle handle = CreateFile(WithoutLimit(fullPath), WriteAttributes, ShareAll, 0, OpenExisting, FolderOrLinkItself, 0);
        if (!handle.IsInvalid)
        {
            return handle;
        }

        int error = Marshal.GetLastPInvokeError();
        handle.Dispose();
        string reason = Marshal.GetPInvokeErrorMessage(error);
        throw error == AccessDenied ? new UnauthorizedAccessException(reason) : new IOException(reason, unchecked((int)0x8007_0000) | error);
    }

    /// <summary>The spelling of a full path that has no limit of 260 characters.</summary>
    private static string WithoutLimit(string fullPath) =>
        fullPath.StartsWith(@"\\?\", StringComparison.Ordinal) || fullPath.StartsWith(@"\\.\", StringComparison.Ordinal) ? fullPath
        : fullPath.StartsWith(@"\\", StringComparison.Ordinal) ? @"\\?\UNC" + fullPath[1..]
        : @"\\?\" + fullPath;

    /// <summary>Null if the file system does not say.</summary>
    public static int? LinkCount(SafeFileHandle handle) =>
        GetFileInformationByHandle(handle, out FileInformation information) ? (int)information.LinkCount : null;

    [LibraryImport("kernel32", EntryPoint = "CreateFileW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    private static partial SafeFileHandle CreateFile(string path, uint access, uint share, nint security, uint mode, uint flags, nint template);

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool GetFileInformationByHandle(SafeFileHandle handle, out FileInformation information);

    [StructLayout(LayoutKind.Explicit, Size = 52)]
    private struct FileInformation
    {
        [FieldOffset(40)]
        public uint LinkCount;
    }
}
