using Microsoft.Win32.SafeHandles;

namespace Restore.Interop;

internal static unsafe partial class Windows
{
    private const int FileNotFound = 2;
    private const int PathNotFound = 3;
    private const int AccessDenied = 5;
    private const long TicksBefore1601 = 504_911_232_000_000_000;
    private const long MaxTicks = 3_155_378_975_999_999_999;
    private const int FileIdInformation = 18;
    private const uint ReadAttributes = 0x80;
    private const uint WriteAttributes = 0x100;
    private const uint BackupSemantics = 0x0200_0000;
    private const uint ShareAll = 7;
    private const uint OpenExisting = 3;
    private const uint FolderOrLinkItself = 0x0220_0000;
    private const uint NamedStreams = 0x0004_0000;

    /// <summary>
    /// Opens a file, folder or link to change its times. System.IO opens no folder for that, and
    /// follows a link.
    /// </summary>
    /// <exception cref="IOException">It is not there, or cannot be opened.</exception>
    /// <exception cref="UnauthorizedAccessException">The user may not change it.</exception>
    public static SafeFileHandle OpenForTimes(string fullPath)
    {
        SafeFileHandle handle = CreateFile(
            WithoutLimit(fullPath),
            WriteAttributes,
            ShareAll,
            0,
            OpenExisting,
            FolderOrLinkItself,
            0
        );
        if (!handle.IsInvalid)
        {
            return handle;
        }

        int error = Marshal.GetLastPInvokeError();
        handle.Dispose();
        throw Failure(error);
    }

    /// <summary>Looks at a file or folder without opening its content.</summary>
    /// <returns>False if it is a reparse point or a device, or cannot be opened: System.IO may know
    /// more of it.</returns>
    public static bool TryLookAt(string fullPath, out FoundFile found)
    {
        found = default;
        using SafeFileHandle handle = CreateFile(
            WithoutLimit(fullPath),
            ReadAttributes,
            ShareAll,
            0,
            OpenExisting,
            FolderOrLinkItself,
            0
        );
        if (handle.IsInvalid)
        {
            found = new FoundFile { IsMissing = Marshal.GetLastPInvokeError() is FileNotFound or PathNotFound };
            return found.IsMissing;
        }

        if (
            !GetFileInformationByHandle(handle, out FileInformation information)
            || ((FileAttributes)information.Attributes & (FileAttributes.ReparsePoint | FileAttributes.Device)) != 0
        )
        {
            return false;
        }

        found = new FoundFile
        {
            Attributes = (FileAttributes)information.Attributes,
            SizeBytes = (long)(((ulong)information.SizeHigh << 32) | information.SizeLow),
            ModifiedTicks = TicksBefore1601 + (long)(((ulong)information.WrittenHigh << 32) | information.WrittenLow),
            LinkCount = (int)Math.Min(information.LinkCount, int.MaxValue),
        };
        return found.ModifiedTicks is >= 0 and <= MaxTicks;
    }

    /// <summary>
    /// Whether a folder is on a file system whose files have named streams: NTFS, ReFS, and shares of
    /// these.
    /// </summary>
    public static bool HasStreams(string folder)
    {
        using SafeFileHandle handle = CreateFile(
            WithoutLimit(folder),
            ReadAttributes,
            ShareAll,
            0,
            OpenExisting,
            BackupSemantics,
            0
        );
        return !handle.IsInvalid
            && GetVolumeInformationByHandle(handle, null, 0, 0, 0, out uint flags, null, 0)
            && (flags & NamedStreams) != 0;
    }

    /// <summary>
    /// The numbers of the volume and of the file or folder that a path leads to, through links.
    /// </summary>
    /// <returns>Null if there is nothing; zeros if the file system has no such numbers.</returns>
    /// <exception cref="IOException">It cannot be opened.</exception>
    /// <exception cref="UnauthorizedAccessException">The user may not look at it.</exception>
    public static (ulong Volume, UInt128 File)? NumbersOf(string fullPath)
    {
        using SafeFileHandle handle = CreateFile(
            WithoutLimit(fullPath),
            ReadAttributes,
            ShareAll,
            0,
            OpenExisting,
            BackupSemantics,
            0
        );
        if (handle.IsInvalid)
        {
            return Marshal.GetLastPInvokeError() is var error && error is FileNotFound or PathNotFound
                ? null
                : throw Failure(error);
        }

        // Only ReFS needs more than 64 bits. Older systems, and some servers, do not know the
        // longer number.
        return GetFileInformationByHandleEx(handle, FileIdInformation, out FileId id, (uint)Marshal.SizeOf<FileId>())
            && (id.High | id.Low) != 0
                ? (id.Volume, new UInt128(id.High, id.Low))
            : GetFileInformationByHandle(handle, out FileInformation information)
                ? (information.Volume, new UInt128(0, ((ulong)information.NumberHigh << 32) | information.NumberLow))
            : (0, 0);
    }

    private static Exception Failure(int error) =>
        Marshal.GetPInvokeErrorMessage(error) is var reason && error == AccessDenied
            ? new UnauthorizedAccessException(reason)
            : new IOException(reason, unchecked((int)0x8007_0000) | error);

    /// <summary>The spelling of a full path that has no limit of 260 characters.</summary>
    private static string WithoutLimit(string fullPath) =>
        fullPath.StartsWith(@"\\?\", StringComparison.Ordinal) || fullPath.StartsWith(@"\\.\", StringComparison.Ordinal)
            ? fullPath
        : fullPath.StartsWith(@"\\", StringComparison.Ordinal) ? @"\\?\UNC" + fullPath[1..]
        : @"\\?\" + fullPath;

    /// <summary>Null if the file system does not say.</summary>
    public static int? LinkCount(SafeFileHandle handle) =>
        GetFileInformationByHandle(handle, out FileInformation information) ? (int)information.LinkCount : null;

    [LibraryImport(
        "kernel32",
        EntryPoint = "CreateFileW",
        SetLastError = true,
        StringMarshalling = StringMarshalling.Utf16
    )]
    private static partial SafeFileHandle CreateFile(
        string path,
        uint access,
        uint share,
        nint security,
        uint mode,
        uint flags,
        nint template
    );

    [LibraryImport("kernel32", EntryPoint = "GetVolumeInformationByHandleW", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool GetVolumeInformationByHandle(
        SafeFileHandle handle,
        char* name,
        uint nameLength,
        nint serialNumber,
        nint longestName,
        out uint flags,
        char* fileSystem,
        uint fileSystemLength
    );

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool GetFileInformationByHandle(SafeFileHandle handle, out FileInformation information);

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool GetFileInformationByHandleEx(
        SafeFileHandle handle,
        int kind,
        out FileId information,
        uint size
    );

    [StructLayout(LayoutKind.Sequential)]
    private struct FileId
    {
        public ulong Volume;
        public ulong Low;
        public ulong High;
    }

    [StructLayout(LayoutKind.Explicit, Size = 52)]
    private struct FileInformation
    {
        [FieldOffset(0)]
        public uint Attributes;

        [FieldOffset(20)]
        public uint WrittenLow;

        [FieldOffset(24)]
        public uint WrittenHigh;

        [FieldOffset(28)]
        public uint Volume;

        [FieldOffset(32)]
        public uint SizeHigh;

        [FieldOffset(36)]
        public uint SizeLow;

        [FieldOffset(40)]
        public uint LinkCount;

        [FieldOffset(44)]
        public uint NumberHigh;

        [FieldOffset(48)]
        public uint NumberLow;
    }
}
