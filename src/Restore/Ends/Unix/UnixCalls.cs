using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Restore.Ends.Unix;

/// <summary>
/// Functions of Unix systems that .NET lacks: owners, extended attributes, and the number of hard links. Links are not followed.
/// A returned reason is null on success.
/// </summary>
internal static unsafe partial class UnixCalls
{
    private const int NotPermitted = 1;
    private const int AccessDenied = 13;
    private const int KindBits = 0xF000;
    private const int MacNoFollow = 1;

    /// <summary>Sets the owner of an open file or, without one, of the entry at the path.</summary>
    public static string? ChangeOwner(SafeFileHandle? handle, string path, uint user, uint group) =>
        Reason(handle is null ? ChangeOwnerOfPath(path, user, group) : ChangeOwnerOfHandle(handle, user, group));

    /// <summary>Sets an extended attribute of an open file or, without one, of the entry at the path.</summary>
    public static string? SetAttribute(SafeFileHandle? handle, string path, string name, byte[] value)
    {
        if (name.Contains('\0'))
        {
            return "its name has a NUL in it";
        }

        fixed (byte* first = value)
        {
            return Reason((OperatingSystem.IsMacOS(), handle) switch
            {
                (true, null) => MacSetAttributeOfPath(path, name, first, value.Length, 0, MacNoFollow),
                (true, _) => MacSetAttributeOfHandle(handle, name, first, value.Length, 0, 0),
                (false, null) => SetAttributeOfPath(path, name, first, value.Length, 0),
                (false, _) => SetAttributeOfHandle(handle, name, first, value.Length, 0),
            });
        }
    }

    /// <summary>The kind of a path and its number of hard links; null if this system's structures are not known.</summary>
    public static (TargetKind Kind, int LinkCount)? Look(string path)
    {
        // More than any struct stat or statx needs.
        byte* status = stackalloc byte[512];
        if (OperatingSystem.IsMacOS())
        {
            int result = RuntimeInformation.ProcessArchitecture == Architecture.Arm64 ? MacLook(path, status) : MacLookIntel(path, status);
            return result < 0 ? null : (KindOf(*(ushort*)(status + 4)), *(ushort*)(status + 6));
        }

        const int CurrentFolder = -100;
        const int NoFollow = 0x100;
        const uint BasicStats = 0x7FF;
        return OperatingSystem.IsLinux() && LinuxLook(CurrentFolder, path, NoFollow, BasicStats, status) == 0
            ? (KindOf(*(ushort*)(status + 28)), (int)Math.Min(*(uint*)(status + 16), int.MaxValue))
            : null;
    }

    /// <summary>Describes the result of a call.</summary>
    public static string? Reason(int result) => (result < 0 ? Marshal.GetLastPInvokeError() : 0) switch
    {
        0 => null,
        NotPermitted => "the user or the file system may not do that",
        AccessDenied => "permission denied",
        int error => $"{Marshal.GetPInvokeErrorMessage(error)} (error {error})",
    };

    private static TargetKind KindOf(int mode) => (mode & KindBits) switch
    {
        0x8000 => TargetKind.File,
        0x4000 => TargetKind.Folder,
        0xA000 => TargetKind.Symlink,
        _ => TargetKind.Other,
    };

    [LibraryImport("libc", EntryPoint = "fchown", SetLastError = true)]
    private static partial int ChangeOwnerOfHandle(SafeFileHandle handle, uint user, uint group);

    [LibraryImport("libc", EntryPoint = "lchown", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int ChangeOwnerOfPath(string path, uint user, uint group);

    [LibraryImport("libc", EntryPoint = "fsetxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int SetAttributeOfHandle(SafeFileHandle handle, string name, byte* value, nint length, int flags);

    [LibraryImport("libc", EntryPoint = "lsetxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int SetAttributeOfPath(string path, string name, byte* value, nint length, int flags);

    [LibraryImport("libc", EntryPoint = "fsetxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MacSetAttributeOfHandle(SafeFileHandle handle, string name, byte* value, nint length, uint position, int options);

    [LibraryImport("libc", EntryPoint = "setxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MacSetAttributeOfPath(string path, string name, byte* value, nint length, uint position, int options);

    [LibraryImport("libc", EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int LinuxLook(int folder, string path, int flags, uint mask, byte* status);

    [LibraryImport("libc", EntryPoint = "lstat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MacLook(string path, byte* status);

    // The plain name is an older structure on Intel.
    [LibraryImport("libc", EntryPoint = "lstat$INODE64", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MacLookIntel(string path, byte* status);
}
