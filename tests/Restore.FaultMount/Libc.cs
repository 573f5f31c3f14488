using System.Runtime.InteropServices;

namespace Restore.FaultMount;

/// <summary>The system calls of the server. A name that is a pointer ends in a NUL.</summary>
internal static unsafe partial class Libc
{
    public const int Detach = 2;
    public const int ReadWrite = 2;
    public const int Create = 0x40;
    public const int Exclusive = 0x80;
    public const int CloseOnExec = 0x80000;
    public const int PathOnly = 0x200000;
    public const int EmptyPath = 0x1000;
    public const int RemoveFolder = 0x200;
    public const int CurrentFolder = -100;
    public const int FollowSymlink = 0x400;

    private static readonly bool IsArm = RuntimeInformation.ProcessArchitecture == Architecture.Arm64;

    public static int NoFollow => IsArm ? 0x8000 : 0x20000;

    [LibraryImport("libc", EntryPoint = "mount", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Mount(string source, string folder, string type, ulong flags, string options);

    [LibraryImport("libc", EntryPoint = "umount2", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Unmount(string folder, int flags);

    [LibraryImport("libc", EntryPoint = "umask")]
    public static partial uint SetUmask(uint mask);

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Open(string path, int flags, uint mode);

    [LibraryImport("libc", EntryPoint = "openat", SetLastError = true)]
    public static partial int OpenAt(int folder, byte* name, int flags, uint mode);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int handle);

    [LibraryImport("libc", EntryPoint = "read", SetLastError = true)]
    public static partial nint Read(int handle, byte* data, nint length);

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    public static partial nint Write(int handle, byte* data, nint length);

    [LibraryImport("libc", EntryPoint = "pread", SetLastError = true)]
    public static partial nint ReadAt(int handle, byte* data, nint length, long offset);

    [LibraryImport("libc", EntryPoint = "pwrite", SetLastError = true)]
    public static partial nint WriteAt(int handle, byte* data, nint length, long offset);

    /// <summary>The status of what a handle stands for, of a path-only one too.</summary>
    public static int Status(int handle, FileStatus* status)
    {
        const uint BasicFields = 0x7FF;
        byte empty = 0;
        return Status(handle, &empty, EmptyPath, BasicFields, status);
    }

    [LibraryImport("libc", EntryPoint = "statfs", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int FileSystem(string path, long* status);

    [LibraryImport("libc", EntryPoint = "mkdirat", SetLastError = true)]
    public static partial int MakeFolder(int folder, byte* name, uint mode);

    [LibraryImport("libc", EntryPoint = "unlinkat", SetLastError = true)]
    public static partial int Remove(int folder, byte* name, int flags);

    [LibraryImport("libc", EntryPoint = "renameat2", SetLastError = true)]
    public static partial int Rename(int fromFolder, byte* from, int toFolder, byte* to, uint flags);

    [LibraryImport("libc", EntryPoint = "symlinkat", SetLastError = true)]
    public static partial int MakeSymlink(byte* target, int folder, byte* name);

    [LibraryImport("libc", EntryPoint = "readlinkat", SetLastError = true)]
    public static partial nint ReadLink(int folder, byte* name, byte* target, nint length);

    [LibraryImport("libc", EntryPoint = "linkat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int MakeLink(int fromFolder, string from, int toFolder, byte* name, int flags);

    [LibraryImport("libc", EntryPoint = "truncate", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Truncate(string path, long length);

    [LibraryImport("libc", EntryPoint = "chmod", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int ChangeMode(string path, uint mode);

    [LibraryImport("libc", EntryPoint = "fchownat", SetLastError = true)]
    public static partial int ChangeOwner(int handle, byte* name, uint user, uint group, int flags);

    [LibraryImport("libc", EntryPoint = "utimensat", SetLastError = true)]
    public static partial int SetTimes(int handle, byte* name, long* times, int flags);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    public static partial int Flush(int handle);

    [LibraryImport("libc", EntryPoint = "fallocate", SetLastError = true)]
    public static partial int Allocate(int handle, int mode, long offset, long length);

    [LibraryImport("libc", EntryPoint = "setxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int SetAttribute(string path, byte* name, byte* value, nint length, int flags);

    [LibraryImport("libc", EntryPoint = "getxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial nint GetAttribute(string path, byte* name, byte* value, nint length);

    [LibraryImport("libc", EntryPoint = "listxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial nint ListAttributes(string path, byte* names, nint length);

    [LibraryImport("libc", EntryPoint = "removexattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int RemoveAttribute(string path, byte* name);

    [LibraryImport("libc", EntryPoint = "statx", SetLastError = true)]
    private static partial int Status(int folder, byte* name, int flags, uint mask, FileStatus* status);
}
