using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Restore.Interop;

/// <summary>The functions that only macOS has, or that take other arguments there.</summary>
[SupportedOSPlatform("macos")]
internal static unsafe partial class MacLibc
{
    private const string Library = "libc";

    [LibraryImport(Library, EntryPoint = "fsetxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int FSetXattr(
        SafeFileHandle handle,
        string name,
        byte* value,
        nint length,
        uint position,
        int options
    );

    [LibraryImport(Library, EntryPoint = "setxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int SetXattr(string path, string name, byte* value, nint length, uint position, int options);

    public static int LStat(string path, byte* status) =>
        RuntimeInformation.ProcessArchitecture == Architecture.Arm64
            ? LStatArm(path, status)
            : LStatIntel(path, status);

    [LibraryImport(
        Library,
        EntryPoint = "acl_from_text",
        SetLastError = true,
        StringMarshalling = StringMarshalling.Utf8
    )]
    public static partial nint AclFromText(string text);

    [LibraryImport(
        Library,
        EntryPoint = "acl_set_link_np",
        SetLastError = true,
        StringMarshalling = StringMarshalling.Utf8
    )]
    public static partial int AclSetLink(string path, int kind, nint list);

    [LibraryImport(Library, EntryPoint = "acl_set_fd_np", SetLastError = true)]
    public static partial int AclSetFd(SafeFileHandle handle, nint list, int kind);

    [LibraryImport(Library, EntryPoint = "acl_free")]
    public static partial int AclFree(nint list);

    [LibraryImport(Library, EntryPoint = "lchflags", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int LChFlags(string path, uint flags);

    [LibraryImport(Library, EntryPoint = "fchflags", SetLastError = true)]
    public static partial int FChFlags(SafeFileHandle handle, uint flags);

    [LibraryImport(Library, EntryPoint = "lstat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int LStatArm(string path, byte* status);

    // The plain name is an older structure on Intel.
    [LibraryImport(
        Library,
        EntryPoint = "lstat$INODE64",
        SetLastError = true,
        StringMarshalling = StringMarshalling.Utf8
    )]
    private static partial int LStatIntel(string path, byte* status);
}
