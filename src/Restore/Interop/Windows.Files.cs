using Microsoft.Win32.SafeHandles;

namespace Restore.Interop;

/// <summary>Operations on files of Windows that a restore needs and System.IO lacks.</summary>
internal static unsafe partial class Windows
{
    private const int NotImplemented = 1;
    private const int NotSupported = 50;
    private const int InvalidParameter = 87;
    private const int CallNotImplemented = 120;
    private const int InvalidLevel = 124;

    private const uint DeleteAccess = 0x1_0000;
    private const uint Synchronize = 0x10_0000;
    private const uint WriteData = 0x2;
    private const uint SequentialScan = 0x0800_0000;
    private const uint ReadAccess = 0x8000_0000;
    private const uint WriteAccess = 0x4000_0000;

    private const int RenameInformation = 22;
    private const int RenameHeadBytes = 20;
    private const int ReplaceWithPosixSemanticsAlsoReadOnly = 0x1 | 0x2 | 0x40;
    private const uint ReplaceExisting = 1;

    private const uint SetCompression = 0x9C040;
    private const uint SetReparsePoint = 0x900A4;
    private const uint MountPointTag = 0xA000_0003;
    private const ushort DefaultCompression = 1;

    /// <summary>
    /// Renames a file, in one step, over the file at a path, even while other programs have that
    /// file open and share it. If the rename fails, both files stay as they were.
    /// </summary>
    public static void Replace(string from, string to)
    {
        using (
            SafeFileHandle handle = CreateFile(
                WithoutLimit(from),
                DeleteAccess | Synchronize,
                ShareAll,
                0,
                OpenExisting,
                FolderOrLinkItself,
                0
            )
        )
        {
            // The path of a folder is looked up again by the name.
            int error = handle.IsInvalid ? Marshal.GetLastPInvokeError() : RenameOver(handle, WithoutLimit(to));
            if (
                error
                is not (0 or NotImplemented or NotSupported or InvalidParameter or CallNotImplemented or InvalidLevel)
            )
            {
                throw Failure(error);
            }

            if (error == 0)
            {
                return;
            }
        }

        // Before Windows 10, on FAT and on many servers.
        WithoutReadOnly(
            to,
            () =>
            {
                if (!MoveFile(WithoutLimit(from), WithoutLimit(to), ReplaceExisting))
                {
                    throw Failure(Marshal.GetLastPInvokeError());
                }
            }
        );
    }

    /// <summary>
    /// Runs an action that Windows does not allow on a read-only file. If the action fails, the
    /// file becomes read-only again.
    /// </summary>
    public static void WithoutReadOnly(string path, Action action)
    {
        FileAttributes attributes = new FileInfo(path).Attributes;

        // System.IO gives all bits for a file that is not there.
        bool isReadOnly = attributes != (FileAttributes)(-1) && attributes.HasFlag(FileAttributes.ReadOnly);
        if (isReadOnly)
        {
            File.SetAttributes(path, attributes & ~FileAttributes.ReadOnly);
        }

        try
        {
            action();
        }
        catch when (isReadOnly && File.Exists(path))
        {
            File.SetAttributes(path, attributes);
            throw;
        }
    }

    /// <summary>
    /// Makes a junction, which needs no rights of an administrator: a link to a folder of this
    /// machine.
    /// </summary>
    /// <param name="path">Where nothing is.</param>
    /// <param name="target">A full path with a drive.</param>
    public static void CreateJunction(string path, string target)
    {
        Directory.CreateDirectory(path);
        try
        {
            using SafeFileHandle handle = Open(path, WriteData | WriteAttributes);
            byte[] data = JunctionData(target);
            fixed (byte* first = data)
            {
                Control(handle, SetReparsePoint, first, data.Length);
            }
        }
        catch
        {
            Directory.Delete(path);
            throw;
        }
    }

    /// <summary>
    /// Lets the file system compress a file or folder, as its attribute in the backup says.
    /// </summary>
    /// <param name="handle">The open file; null to open the path.</param>
    public static void Compress(SafeFileHandle? handle, string path)
    {
        ushort format = DefaultCompression;
        using SafeFileHandle? own = handle is null ? Open(path, ReadAccess | WriteAccess) : null;
        Control(handle ?? own!, SetCompression, &format, sizeof(ushort));
    }

    /// <summary>
    /// Opens a file to read it from its start to its end, with the rights of a backup where the
    /// user has these.
    /// </summary>
    public static SafeFileHandle OpenForBackup(string fullPath)
    {
        SafeFileHandle handle = CreateFile(
            WithoutLimit(fullPath),
            ReadAccess,
            ShareAll,
            0,
            OpenExisting,
            BackupSemantics | SequentialScan,
            0
        );
        return handle.IsInvalid ? throw Failure(Marshal.GetLastPInvokeError(), handle) : handle;
    }

    /// <summary>
    /// The room that the user has at a folder, of a drive or a share; null if the system does not
    /// say.
    /// </summary>
    public static (long Free, long Total)? RoomAt(string folder)
    {
        string place = Path.EndsInDirectorySeparator(folder) ? folder : folder + '\\';
        return GetDiskFreeSpaceEx(place, out ulong free, out ulong total, 0) ? ((long)free, (long)total) : null;
    }

    /// <summary>
    /// The content of a junction's reparse point: the path for the system, and the one for people.
    /// </summary>
    internal static byte[] JunctionData(string target)
    {
        string full = target.TrimEnd('\\') is var trimmed && trimmed is [_, ':'] ? trimmed + '\\' : trimmed;
        byte[] substitute = Encoding.Unicode.GetBytes(@"\??\" + full);
        byte[] shown = Encoding.Unicode.GetBytes(full);

        // REPARSE_DATA_BUFFER of a mount point: the tag, the length of what follows after 8 bytes,
        // then offset and length of both paths in bytes, then the paths, each with a NUL.
        int pathBytes = substitute.Length + 2 + shown.Length + 2;
        byte[] data = new byte[16 + pathBytes];
        BinaryPrimitives.WriteUInt32LittleEndian(data, MountPointTag);
        ushort[] numbers =
        [
            (ushort)(8 + pathBytes),
            0,
            0,
            (ushort)substitute.Length,
            (ushort)(substitute.Length + 2),
            (ushort)shown.Length,
        ];
        for (int i = 0; i < numbers.Length; i++)
        {
            BinaryPrimitives.WriteUInt16LittleEndian(data.AsSpan(4 + (2 * i)), numbers[i]);
        }

        substitute.CopyTo(data, 16);
        shown.CopyTo(data, 16 + substitute.Length + 2);
        return data;
    }

    private static SafeFileHandle Open(string path, uint access)
    {
        SafeFileHandle handle = CreateFile(
            WithoutLimit(path),
            access,
            ShareAll,
            0,
            OpenExisting,
            FolderOrLinkItself,
            0
        );
        return handle.IsInvalid ? throw Failure(Marshal.GetLastPInvokeError(), handle) : handle;
    }

    private static Exception Failure(int error, SafeFileHandle invalid)
    {
        invalid.Dispose();
        return Failure(error);
    }

    private static void Control(SafeFileHandle handle, uint code, void* data, int length)
    {
        if (!DeviceIoControl(handle, code, data, (uint)length, null, 0, out _, 0))
        {
            throw Failure(Marshal.GetLastPInvokeError());
        }
    }

    /// <returns>The error; 0 if it was renamed.</returns>
    private static int RenameOver(SafeFileHandle handle, string to)
    {
        // FILE_RENAME_INFO: flags, a folder (none), the length of the name, the name.
        byte[] information = new byte[RenameHeadBytes + (2 * to.Length) + 2];
        BinaryPrimitives.WriteInt32LittleEndian(information, ReplaceWithPosixSemanticsAlsoReadOnly);
        BinaryPrimitives.WriteInt32LittleEndian(information.AsSpan(RenameHeadBytes - 4), 2 * to.Length);
        Encoding.Unicode.GetBytes(to, information.AsSpan(RenameHeadBytes));
        fixed (byte* first = information)
        {
            return SetFileInformationByHandle(handle, RenameInformation, first, (uint)information.Length)
                ? 0
                : Marshal.GetLastPInvokeError();
        }
    }

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool SetFileInformationByHandle(
        SafeFileHandle handle,
        int kind,
        void* information,
        uint size
    );

    [LibraryImport(
        "kernel32",
        EntryPoint = "MoveFileExW",
        SetLastError = true,
        StringMarshalling = StringMarshalling.Utf16
    )]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool MoveFile(string from, string to, uint flags);

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool DeviceIoControl(
        SafeFileHandle handle,
        uint code,
        void* input,
        uint inputBytes,
        void* output,
        uint outputBytes,
        out uint returned,
        nint overlapped
    );

    [LibraryImport(
        "kernel32",
        EntryPoint = "GetDiskFreeSpaceExW",
        SetLastError = true,
        StringMarshalling = StringMarshalling.Utf16
    )]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool GetDiskFreeSpaceEx(string folder, out ulong free, out ulong total, nint totalFree);
}
