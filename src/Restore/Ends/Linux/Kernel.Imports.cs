using System.Runtime.InteropServices;

namespace Restore.Ends.Linux;

internal static unsafe partial class Kernel
{
    // openat2 and statx are called by number: no libc has the first, and the oldest supported libc lacks the second.
    private const nint OpenAt2Number = 437;

    private static nint StatxNumber => IsArm ? 291 : 332;

    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true)]
    private static partial nint OpenAt2Call(nint number, nint folder, byte* path, OpenHow* how, nint howSize);

    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true)]
    private static partial nint StatxCall(nint number, nint folder, byte* path, nint flags, nint mask, FileStatus* status);

    [LibraryImport("libc", EntryPoint = "openat", SetLastError = true)]
    private static partial int OpenAtCall(int folder, byte* name, int flags, int mode);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    private static partial int CloseCall(int handle);

    [LibraryImport("libc", EntryPoint = "mkdirat", SetLastError = true)]
    private static partial int MkdirAtCall(int folder, byte* name, uint mode);

    [LibraryImport("libc", EntryPoint = "unlinkat", SetLastError = true)]
    private static partial int UnlinkAtCall(int folder, byte* name, int flags);

    [LibraryImport("libc", EntryPoint = "renameat", SetLastError = true)]
    private static partial int RenameAtCall(int fromFolder, byte* from, int toFolder, byte* to);

    [LibraryImport("libc", EntryPoint = "symlinkat", SetLastError = true)]
    private static partial int SymlinkAtCall(byte* linkTarget, int folder, byte* name);

    [LibraryImport("libc", EntryPoint = "readlinkat", SetLastError = true)]
    private static partial nint ReadLinkAtCall(int folder, byte* name, byte* content, nint length);

    [LibraryImport("libc", EntryPoint = "faccessat", SetLastError = true)]
    private static partial int AccessAtCall(int folder, byte* name, int mode, int flags);

    [LibraryImport("libc", EntryPoint = "pwrite", SetLastError = true)]
    private static partial nint WriteCall(int handle, byte* data, nint length, long offset);

    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    private static partial int ControlCall(int handle, int command, nint argument);

    [LibraryImport("libc", EntryPoint = "pread", SetLastError = true)]
    private static partial nint ReadCall(int handle, byte* data, nint length, long offset);

    [LibraryImport("libc", EntryPoint = "ftruncate", SetLastError = true)]
    private static partial int TruncateCall(int handle, long length);

    [LibraryImport("libc", EntryPoint = "fallocate", SetLastError = true)]
    private static partial int AllocateCall(int handle, int mode, long offset, long length);

    [LibraryImport("libc", EntryPoint = "syncfs", SetLastError = true)]
    private static partial int FlushFileSystemCall(int handle);

    [LibraryImport("libc", EntryPoint = "posix_fadvise")]
    private static partial int AdviseCall(int handle, long offset, long length, int advice);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    private static partial int FlushCall(int handle);

    [LibraryImport("libc", EntryPoint = "fdatasync", SetLastError = true)]
    private static partial int FlushContentCall(int handle);

    [LibraryImport("libc", EntryPoint = "flock", SetLastError = true)]
    private static partial int LockCall(int handle, int operation);

    [LibraryImport("libc", EntryPoint = "flistxattr", SetLastError = true)]
    private static partial nint ListAttributesCall(int handle, byte* names, nint length);

    [LibraryImport("libc", EntryPoint = "fgetxattr", SetLastError = true)]
    private static partial nint ReadAttributeCall(int handle, byte* name, byte* value, nint length);

    [LibraryImport("libc", EntryPoint = "sync")]
    private static partial void FlushAllCall();

    [LibraryImport("libc", EntryPoint = "fchmod", SetLastError = true)]
    private static partial int ChangeModeCall(int handle, uint mode);

    [LibraryImport("libc", EntryPoint = "chmod", SetLastError = true)]
    private static partial int ChangeModeOfPathCall(byte* path, uint mode);

    [LibraryImport("libc", EntryPoint = "fchown", SetLastError = true)]
    private static partial int ChangeOwnerCall(int handle, uint user, uint group);

    [LibraryImport("libc", EntryPoint = "fchownat", SetLastError = true)]
    private static partial int ChangeOwnerAtCall(int folder, byte* name, uint user, uint group, int flags);

    [LibraryImport("libc", EntryPoint = "futimens", SetLastError = true)]
    private static partial int SetTimesCall(int handle, UnixTime* times);

    [LibraryImport("libc", EntryPoint = "utimensat", SetLastError = true)]
    private static partial int SetTimesAtCall(int folder, byte* name, UnixTime* times, int flags);

    [LibraryImport("libc", EntryPoint = "fsetxattr", SetLastError = true)]
    private static partial int SetAttributeCall(int handle, byte* name, byte* value, nint length, int flags);

    [StructLayout(LayoutKind.Sequential)]
    private struct OpenHow
    {
        public ulong Flags;
        public ulong Mode;
        public ulong Resolve;
    }
}
