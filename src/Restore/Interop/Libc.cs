using Microsoft.Win32.SafeHandles;

namespace Restore.Interop;

/// <summary>
/// A result below zero means that <see cref="Marshal.GetLastPInvokeError"/> says why.
/// </summary>
internal static unsafe partial class Libc
{
    public const int ReadWrite = 2;
    public const int CloseOnExec = 0x80000;

    private const string Library = "libc";

    private static readonly bool IsArm = RuntimeInformation.ProcessArchitecture == Architecture.Arm64;

    // Files by descriptor.
    [LibraryImport(Library, EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Open(string path, int flags, uint mode);

    [LibraryImport(Library, EntryPoint = "openat", SetLastError = true)]
    public static partial int OpenAt(int folder, ReadOnlySpan<byte> name, int flags, int mode);

    [LibraryImport(Library, EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int handle);

    [LibraryImport(Library, EntryPoint = "lseek", SetLastError = true)]
    public static partial long LSeek(int handle, long offset, int from);

    [LibraryImport(Library, EntryPoint = "read", SetLastError = true)]
    public static partial nint Read(int handle, byte* data, nint length);

    [LibraryImport(Library, EntryPoint = "pread", SetLastError = true)]
    public static partial nint PRead(int handle, Span<byte> data, nint length, long offset);

    [LibraryImport(Library, EntryPoint = "write", SetLastError = true)]
    public static partial nint Write(int handle, byte* data, nint length);

    [LibraryImport(Library, EntryPoint = "pwrite", SetLastError = true)]
    public static partial nint PWrite(int handle, ReadOnlySpan<byte> data, nint length, long offset);

    [LibraryImport(Library, EntryPoint = "fcntl", SetLastError = true)]
    public static partial int Fcntl(int handle, int command, nint argument);

    [LibraryImport(Library, EntryPoint = "flock", SetLastError = true)]
    public static partial int Flock(SafeFileHandle handle, int operation);

    [LibraryImport(Library, EntryPoint = "flock", SetLastError = true)]
    public static partial int Flock(int handle, int operation);

    [LibraryImport(Library, EntryPoint = "ftruncate", SetLastError = true)]
    public static partial int FTruncate(int handle, long length);

    [LibraryImport(Library, EntryPoint = "ioctl", SetLastError = true)]
    public static partial int Ioctl(int handle, nuint request, void* argument);

    [LibraryImport(Library, EntryPoint = "fallocate", SetLastError = true)]
    public static partial int FAllocate(int handle, int mode, long offset, long length);

    [LibraryImport(Library, EntryPoint = "posix_fadvise")]
    public static partial int FAdvise(int handle, long offset, long length, int advice);

    // To the device.
    [LibraryImport(Library, EntryPoint = "fsync", SetLastError = true)]
    public static partial int FSync(int handle);

    [LibraryImport(Library, EntryPoint = "fsync", SetLastError = true)]
    public static partial int FSync(SafeFileHandle handle);

    [LibraryImport(Library, EntryPoint = "fdatasync", SetLastError = true)]
    public static partial int FDataSync(int handle);

    [LibraryImport(Library, EntryPoint = "syncfs", SetLastError = true)]
    public static partial int SyncFs(int handle);

    [LibraryImport(Library, EntryPoint = "sync")]
    public static partial void Sync();

    // Names.
    [LibraryImport(Library, EntryPoint = "mkdirat", SetLastError = true)]
    public static partial int MkdirAt(int folder, ReadOnlySpan<byte> name, uint mode);

    [LibraryImport(Library, EntryPoint = "unlinkat", SetLastError = true)]
    public static partial int UnlinkAt(int folder, ReadOnlySpan<byte> name, int flags);

    [LibraryImport(Library, EntryPoint = "rename", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Rename(string from, string to);

    [LibraryImport(Library, EntryPoint = "renameat", SetLastError = true)]
    public static partial int RenameAt(int fromFolder, ReadOnlySpan<byte> from, int toFolder, ReadOnlySpan<byte> to);

    /// <summary>
    /// Reads one range into memory, with flags. By number: the oldest supported libc of musl lacks
    /// it.
    /// </summary>
    public static nint PReadV2(SafeFileHandle handle, nint* range, long offset, int flags) =>
        PReadV2Call(IsArm ? 286 : 327, handle, range, 1, (nint)offset, 0, flags);

    [LibraryImport(Library, EntryPoint = "syscall", SetLastError = true)]
    private static partial nint PReadV2Call(
        nint number,
        SafeFileHandle handle,
        nint* ranges,
        nint count,
        nint offset,
        nint offsetHigh,
        nint flags
    );

    /// <summary>
    /// Renames if nothing has the new name. By number: the oldest supported libc lacks it.
    /// </summary>
    public static int RenameNew(int folder, ReadOnlySpan<byte> from, ReadOnlySpan<byte> to)
    {
        const int NoReplace = 1;
        return (int)RenameAt2Call(IsArm ? 276 : 316, folder, from, folder, to, NoReplace);
    }

    [LibraryImport(Library, EntryPoint = "syscall", SetLastError = true)]
    private static partial nint RenameAt2Call(
        nint number,
        nint fromFolder,
        ReadOnlySpan<byte> from,
        nint toFolder,
        ReadOnlySpan<byte> to,
        nint flags
    );

    [LibraryImport(Library, EntryPoint = "link", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Link(string from, string to);

    [LibraryImport(Library, EntryPoint = "linkat", SetLastError = true)]
    public static partial int LinkAt(
        int fromFolder,
        ReadOnlySpan<byte> from,
        int toFolder,
        ReadOnlySpan<byte> to,
        int flags
    );

    [LibraryImport(Library, EntryPoint = "symlinkat", SetLastError = true)]
    public static partial int SymlinkAt(ReadOnlySpan<byte> linkTarget, int folder, ReadOnlySpan<byte> name);

    [LibraryImport(Library, EntryPoint = "readlinkat", SetLastError = true)]
    public static partial nint ReadLinkAt(int folder, ReadOnlySpan<byte> name, Span<byte> content, nint length);

    [LibraryImport(Library, EntryPoint = "faccessat", SetLastError = true)]
    public static partial int AccessAt(int folder, ReadOnlySpan<byte> name, int mode, int flags);

    // Status and metadata.
    public static int Statx(int folder, string path, int flags, uint mask, void* status) =>
        (int)StatxCall(IsArm ? 291 : 332, folder, path, flags, (nint)mask, status);

    public static int Statx(int folder, ReadOnlySpan<byte> path, int flags, uint mask, void* status) =>
        (int)StatxCall(IsArm ? 291 : 332, folder, path, flags, (nint)mask, status);

    public static int OpenAt2(int folder, ReadOnlySpan<byte> path, void* how, nint howSize) =>
        (int)OpenAt2Call(437, folder, path, how, howSize);

    [LibraryImport(Library, EntryPoint = "fchmod", SetLastError = true)]
    public static partial int FChmod(int handle, uint mode);

    [LibraryImport(Library, EntryPoint = "chmod", SetLastError = true)]
    public static partial int Chmod(ReadOnlySpan<byte> path, uint mode);

    [LibraryImport(Library, EntryPoint = "umask")]
    public static partial int Umask(int mask);

    [LibraryImport(Library, EntryPoint = "fchown", SetLastError = true)]
    public static partial int FChown(int handle, uint user, uint group);

    [LibraryImport(Library, EntryPoint = "fchown", SetLastError = true)]
    public static partial int FChown(SafeFileHandle handle, uint user, uint group);

    [LibraryImport(Library, EntryPoint = "lchown", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int LChown(string path, uint user, uint group);

    [LibraryImport(Library, EntryPoint = "fchownat", SetLastError = true)]
    public static partial int FChownAt(int folder, ReadOnlySpan<byte> name, uint user, uint group, int flags);

    [LibraryImport(Library, EntryPoint = "futimens", SetLastError = true)]
    public static partial int FUtimens(int handle, void* times);

    [LibraryImport(Library, EntryPoint = "utimensat", SetLastError = true)]
    public static partial int UtimensAt(int folder, ReadOnlySpan<byte> name, void* times, int flags);

    // Extended attributes.
    [LibraryImport(Library, EntryPoint = "flistxattr", SetLastError = true)]
    public static partial nint FListXattr(int handle, Span<byte> names, nint length);

    [LibraryImport(Library, EntryPoint = "llistxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial nint LListXattr(string path, byte* names, nint length);

    [LibraryImport(Library, EntryPoint = "listxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial nint ListXattr(string path, byte* names, nint length);

    [LibraryImport(Library, EntryPoint = "getxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial nint GetXattr(string path, string name, byte* value, nint length);

    [LibraryImport(Library, EntryPoint = "fgetxattr", SetLastError = true)]
    public static partial nint FGetXattr(int handle, ReadOnlySpan<byte> name, Span<byte> value, nint length);

    [LibraryImport(Library, EntryPoint = "lgetxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial nint LGetXattr(string path, string name, byte* value, nint length);

    [LibraryImport(Library, EntryPoint = "fsetxattr", SetLastError = true)]
    public static partial int FSetXattr(
        int handle,
        ReadOnlySpan<byte> name,
        ReadOnlySpan<byte> value,
        nint length,
        int flags
    );

    [LibraryImport(Library, EntryPoint = "fsetxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int FSetXattr(SafeFileHandle handle, string name, byte* value, nint length, int flags);

    [LibraryImport(Library, EntryPoint = "lsetxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int LSetXattr(string path, string name, byte* value, nint length, int flags);

    // Users, memory, limits.
    [LibraryImport(Library, EntryPoint = "geteuid")]
    public static partial uint GetEUid();

    [LibraryImport(Library, EntryPoint = "getpwnam_r", StringMarshalling = StringMarshalling.Utf8)]
    public static partial int GetPwNam(string name, void* record, byte* buffer, nint length, void** found);

    [LibraryImport(Library, EntryPoint = "getgrnam_r", StringMarshalling = StringMarshalling.Utf8)]
    public static partial int GetGrNam(string name, void* record, byte* buffer, nint length, void** found);

    [LibraryImport(Library, EntryPoint = "getpwuid_r")]
    public static partial int GetPwUid(uint id, void* record, byte* buffer, nint length, void** found);

    [LibraryImport(Library, EntryPoint = "getgrgid_r")]
    public static partial int GetGrGid(uint id, void* record, byte* buffer, nint length, void** found);

    [LibraryImport(Library, EntryPoint = "getrlimit", SetLastError = true)]
    public static partial int GetRLimit(int resource, ulong* limits);

    [LibraryImport(Library, EntryPoint = "mmap", SetLastError = true)]
    public static partial nint MMap(nuint address, nuint length, int protection, int flags, int handle, nint offset);

    [LibraryImport(Library, EntryPoint = "munmap")]
    public static partial int MUnmap(nuint address, nuint length);

    [LibraryImport(Library, EntryPoint = "madvise")]
    public static partial int MAdvise(nuint address, nuint length, int advice);

    // openat2 and statx are called by number: no libc has the first, and the oldest supported libc
    // lacks the second.
    [LibraryImport(Library, EntryPoint = "syscall", SetLastError = true)]
    private static partial nint OpenAt2Call(nint number, nint folder, ReadOnlySpan<byte> path, void* how, nint howSize);

    [LibraryImport(Library, EntryPoint = "syscall", SetLastError = true)]
    private static partial nint StatxCall(
        nint number,
        nint folder,
        ReadOnlySpan<byte> path,
        nint flags,
        nint mask,
        void* status
    );

    [LibraryImport(Library, EntryPoint = "syscall", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint StatxCall(nint number, nint folder, string path, nint flags, nint mask, void* status);
}
