using System.Text.Unicode;
using Microsoft.Win32.SafeHandles;

namespace Restore.Interop;

/// <summary>
/// The system calls of Linux. Names end in a NUL and are relative to a folder's handle; the last
/// component is not followed, unless it says so. A result below zero is the negative error number;
/// a call that a signal interrupted is repeated.
/// </summary>
internal static unsafe class Kernel
{
    /// <summary>In place of the handle of a folder: names are paths.</summary>
    public const int CurrentFolder = -100;

    private const int AtNoFollow = 0x100;
    private const int AtEmptyPath = 0x1000;

    private const int ReadWrite = 0x2;
    private const int Create = 0x40;
    private const int Exclusive = 0x80;
    private const int PathOnly = 0x200000;
    private const int Unnamed = 0x400000;

    // Prevents hanging on a FIFO; regular files ignore the flag.
    private const int NonBlocking = 0x800;
    private const int CloseOnExec = 0x80000;

    private static readonly bool IsArm = RuntimeInformation.ProcessArchitecture == Architecture.Arm64;

    // On ARM, Linux has other numbers for these flags.
    private static int OnlyFolder => IsArm ? 0x4000 : 0x10000;

    private static int Direct => IsArm ? 0x10000 : 0x4000;

    private static int NoFollow => IsArm ? 0x8000 : 0x20000;

    /// <summary>
    /// How many handles the process may have open; negative if that cannot be known.
    /// </summary>
    public static int OpenFileLimit()
    {
        const int OpenFiles = 7;
        ulong* limits = stackalloc ulong[2];
        return Libc.GetRLimit(OpenFiles, limits) < 0 ? -1 : (int)Math.Min(limits[0], int.MaxValue);
    }

    /// <summary>
    /// How many bytes of addresses the process may have (<c>ulimit -v</c>); null without a limit.
    /// </summary>
    public static long? AddressLimit()
    {
        const int AddressSpace = 9;
        ulong* limits = stackalloc ulong[2];
        return Libc.GetRLimit(AddressSpace, limits) < 0 || limits[0] > long.MaxValue ? null : (long)limits[0];
    }

    // A path-only handle (O_PATH) needs no right to read, and opening it waits for nothing: not for
    // a writer of a FIFO, not for a device.

    /// <summary>A handle of the folder that the user named; follows links.</summary>
    public static int OpenRoot(ReadOnlySpan<byte> path) => Open(CurrentFolder, path, PathOnly | OnlyFolder, 0);

    /// <summary>A handle to open other entries from; needs no right to read the folder.</summary>
    public static int OpenFolder(int folder, ReadOnlySpan<byte> name) =>
        Open(folder, name, PathOnly | OnlyFolder | NoFollow, 0);

    /// <summary>A handle to set metadata through.</summary>
    public static int OpenFolderToRead(int folder, ReadOnlySpan<byte> name) =>
        Open(folder, name, OnlyFolder | NoFollow | NonBlocking, 0);

    public static int CreateFile(int folder, ReadOnlySpan<byte> name, int mode) =>
        Open(folder, name, ReadWrite | Create | Exclusive | NoFollow, mode);

    public static int OpenFile(int folder, ReadOnlySpan<byte> name, bool forWriting) =>
        Open(folder, name, (forWriting ? ReadWrite : 0) | NoFollow | NonBlocking, 0);

    /// <summary>Opens a file to read it, or what a link leads to.</summary>
    public static int OpenFollowing(int folder, ReadOnlySpan<byte> name) => Open(folder, name, NonBlocking, 0);

    /// <summary>A handle that says what is there, and reads nothing.</summary>
    public static int OpenPath(int folder, ReadOnlySpan<byte> name, bool followsLinks) =>
        Open(folder, name, PathOnly | (followsLinks ? 0 : NoFollow), 0);

    /// <summary>Opens what a handle of <see cref="OpenPath"/> says is there, to read it.</summary>
    public static int OpenToRead(int pathHandle) =>
        Open(CurrentFolder, Encoding.ASCII.GetBytes($"/proc/self/fd/{pathHandle}\0"), 0, 0);

    /// <summary>
    /// A handle of a folder several components down; follows no link and stays below the root.
    /// </summary>
    public static int OpenFolderBeneath(int folder, ReadOnlySpan<byte> path)
    {
        // The kernel checks each component while it walks: no link can take the place of a folder
        // between a look and the use. RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS, RESOLVE_BENEATH
        var how = new OpenHow
        {
            Flags = (ulong)(PathOnly | OnlyFolder | NoFollow | CloseOnExec),
            Resolve = 0x02 | 0x04 | 0x08,
        };
        nint result;
        do
        {
            result = Libc.OpenAt2(folder, path, &how, sizeof(OpenHow));
        } while (IsInterrupted(result));
        return Result(result);
    }

    /// <summary>
    /// Whether <see cref="OpenFolderBeneath"/> can be used. A sandbox may refuse the call with any
    /// error.
    /// </summary>
    public static bool HasOpenAt2(int folder)
    {
        // Tried once for each root: kernels before 5.6 lack the call, and the filters of a
        // container can forbid it.
        int handle = OpenFolderBeneath(folder, ".\0"u8);
        return handle >= 0 && Close(handle) == 0;
    }

    /// <summary>
    /// Not repeated when interrupted: the handle is closed anyway, and its number may belong to
    /// another file already.
    /// </summary>
    public static int Close(int handle) => Result(Libc.Close(handle));

    public static int CreateFolder(int folder, ReadOnlySpan<byte> name, int mode) =>
        Result(Libc.MkdirAt(folder, name, (uint)mode));

    /// <summary>Removes anything but a folder.</summary>
    public static int Unlink(int folder, ReadOnlySpan<byte> name) => Result(Libc.UnlinkAt(folder, name, 0));

    public static int RemoveFolder(int folder, ReadOnlySpan<byte> name)
    {
        const int RemovesFolder = 0x200;
        return Result(Libc.UnlinkAt(folder, name, RemovesFolder));
    }

    public static int Rename(int folder, ReadOnlySpan<byte> from, ReadOnlySpan<byte> to) =>
        Result(Libc.RenameAt(folder, from, folder, to));

    public static int RenameNew(int folder, ReadOnlySpan<byte> from, ReadOnlySpan<byte> to) =>
        Result(Libc.RenameNew(folder, from, to));

    public static int Link(int folder, ReadOnlySpan<byte> from, ReadOnlySpan<byte> to) =>
        Result(Libc.LinkAt(folder, from, folder, to, 0));

    public static int Symlink(ReadOnlySpan<byte> linkTarget, int folder, ReadOnlySpan<byte> name) =>
        Result(Libc.SymlinkAt(linkTarget, folder, name));

    /// <summary>Reads the target of a link.</summary>
    /// <returns>The length, or the negative error number.</returns>
    public static int ReadLink(int folder, ReadOnlySpan<byte> name, Span<byte> content) =>
        Result(Libc.ReadLinkAt(folder, name, content, content.Length));

    public static bool MayWriteInto(int folder)
    {
        const int WriteAndSearch = 3;
        return Libc.AccessAt(folder, ".\0"u8, WriteAndSearch, 0) == 0;
    }

    public static int Status(int folder, ReadOnlySpan<byte> name, out FileStatus status) =>
        Statx(folder, name, AtNoFollow, out status);

    /// <summary>The status of what a link at the end of the path leads to.</summary>
    public static int StatusFollowing(int folder, ReadOnlySpan<byte> name, out FileStatus status) =>
        Statx(folder, name, flags: 0, out status);

    public static int StatusOfHandle(int handle, out FileStatus status) =>
        Statx(handle, "\0"u8, AtEmptyPath, out status);

    public static int Write(int handle, ReadOnlySpan<byte> data, long offset)
    {
        nint result;
        do
        {
            result = Libc.PWrite(handle, data, data.Length, offset);
        } while (IsInterrupted(result));
        return Result(result);
    }

    /// <summary>Writes until everything is written.</summary>
    /// <returns>Zero, or the negative error number.</returns>
    public static int WriteAll(int handle, ReadOnlySpan<byte> data, long offset)
    {
        while (data.Length > 0)
        {
            int written = Write(handle, data, offset);
            if (written < 0)
            {
                return written;
            }

            data = data[written..];
            offset += written;
        }

        return 0;
    }

    public static int Read(int handle, Span<byte> data, long offset)
    {
        nint result;
        do
        {
            result = Libc.PRead(handle, data, data.Length, offset);
        } while (IsInterrupted(result));
        return Result(result);
    }

    /// <summary>
    /// Reads only from the page cache, and never waits. Fails with TryAgain if the cache has
    /// nothing of the range, and with another error if the file system does not support this.
    /// </summary>
    public static int ReadAtOnce(SafeFileHandle handle, Span<byte> data, long offset)
    {
        const int NoWait = 8;
        fixed (byte* start = data)
        {
            // struct iovec: the address and the length.
            nint* range = stackalloc nint[] { (nint)start, data.Length };
            nint result;
            do
            {
                result = Libc.PReadV2(handle, range, offset, NoWait);
            } while (IsInterrupted(result));
            return Result(result);
        }
    }

    /// <summary>
    /// Sets whether writes and reads of a handle go past the page cache (O_DIRECT).
    /// </summary>
    public static int SetDirect(int handle, bool isDirect)
    {
        const int SetFlags = 4;
        return Result(Libc.Fcntl(handle, SetFlags, isDirect ? Direct : 0));
    }

    public static int Truncate(int handle, long length)
    {
        nint result;
        do
        {
            result = Libc.FTruncate(handle, length);
        } while (IsInterrupted(result));
        return Result(result);
    }

    public static int Allocate(int handle, long length) => Allocate(handle, mode: 0, 0, length);

    /// <summary>
    /// Gives back the room of a range, which then reads as zeros; the length stays.
    /// </summary>
    public static int MakeHole(int handle, long offset, long length)
    {
        const int KeepSize = 1;
        const int PunchHole = 2;
        return Allocate(handle, KeepSize | PunchHole, offset, length);
    }

    /// <summary>
    /// Gives a file the bytes of a range of another file. Both files share the range on the device
    /// until one of them changes.
    /// </summary>
    /// <param name="length">The length of the range; 0 to the end of the other file.</param>
    public static int ShareRange(int handle, int from, long offset, long length)
    {
        // FICLONERANGE
        const int Request = 0x4020940D;

        // struct file_clone_range: the source, its offset, the length, and the offset in the
        // destination, which is the same here.
        long* range = stackalloc long[] { from, offset, length, offset };
        nint result;
        do
        {
            result = Libc.Ioctl(handle, Request, range);
        } while (IsInterrupted(result));
        return Result(result);
    }

    /// <summary>
    /// Creates a file without a name, which is gone when it is closed, unless it gets one
    /// (<see cref="Name"/>).
    /// </summary>
    public static int CreateUnnamed(int folder, ReadOnlySpan<byte> name, int mode) =>
        Open(folder, name, ReadWrite | OnlyFolder | Unnamed, mode);

    /// <summary>Gives a file without a name its first name, if nothing has that.</summary>
    public static int Name(int handle, int folder, ReadOnlySpan<byte> name)
    {
        const int AtFollow = 0x400;
        Span<byte> own = stackalloc byte[32];
        _ = Utf8.TryWrite(own, CultureInfo.InvariantCulture, $"/proc/self/fd/{handle}\0", out int length);
        return Result(Libc.LinkAt(CurrentFolder, own[..length], folder, name, AtFollow));
    }

    /// <summary>Writes all of a file system to its device.</summary>
    public static int FlushFileSystem(int handle) => Result(Libc.SyncFs(handle));

    public static int FlushAll()
    {
        Libc.Sync();
        return 0;
    }

    public static int Flush(int handle) => Result(Libc.FSync(handle));

    /// <summary>
    /// Writes the content of a file to its device, and of its status only what finding the content
    /// needs.
    /// </summary>
    public static int FlushContent(int handle) => Result(Libc.FDataSync(handle));

    /// <summary>
    /// Says that a file is read from its start to its end. It is advice: there is no failure.
    /// </summary>
    public static void ReadAhead(int handle)
    {
        const int Sequential = 2;
        _ = Libc.FAdvise(handle, 0, 0, Sequential);
    }

    /// <summary>
    /// Asks the system to forget the clean pages of a file. It is advice: there is no failure.
    /// </summary>
    public static void DropCache(int handle)
    {
        const int NotNeeded = 4;
        _ = Libc.FAdvise(handle, 0, 0, NotNeeded);
    }

    public static int ChangeMode(int handle, int mode) => Result(Libc.FChmod(handle, (uint)mode));

    /// <summary>Changes the mode through a path-only handle, which fchmod refuses to do.</summary>
    public static int ChangeModeOfPathHandle(int handle, int mode) =>
        Result(Libc.Chmod(Encoding.ASCII.GetBytes($"/proc/self/fd/{handle}\0"), (uint)mode));

    public static int ChangeOwner(int handle, uint user, uint group) => Result(Libc.FChown(handle, user, group));

    public static int ChangeOwnerAt(int folder, ReadOnlySpan<byte> name, uint user, uint group) =>
        Result(Libc.FChownAt(folder, name, user, group, AtNoFollow));

    public static int SetModified(int handle, long ticks)
    {
        UnixTime* times = stackalloc UnixTime[] { UnixTime.Omit, UnixTime.FromTicks(ticks) };
        return Result(Libc.FUtimens(handle, times));
    }

    /// <summary>
    /// Sets the time of the last access too. File systems on libfuse 2 (exfat-fuse) accept a call
    /// that sets one time alone, and set none.
    /// </summary>
    public static int SetModifiedAndAccessed(int handle, long ticks)
    {
        UnixTime* times = stackalloc UnixTime[] { UnixTime.FromTicks(ticks), UnixTime.FromTicks(ticks) };
        return Result(Libc.FUtimens(handle, times));
    }

    public static int SetModifiedAt(int folder, ReadOnlySpan<byte> name, long ticks)
    {
        UnixTime* times = stackalloc UnixTime[] { UnixTime.Omit, UnixTime.FromTicks(ticks) };
        return Result(Libc.UtimensAt(folder, name, times, AtNoFollow));
    }

    /// <summary>
    /// Locks a file against other processes; fails with TryAgain if another one has it locked.
    /// </summary>
    public static int TryLock(int handle)
    {
        const int ExclusiveAtOnce = 6;
        return Result(Libc.Flock(handle, ExclusiveAtOnce));
    }

    public static void Unlock(int handle)
    {
        const int Free = 8;
        _ = Libc.Flock(handle, Free);
    }

    public static int SetAttribute(
        int handle,
        ReadOnlySpan<byte> name,
        ReadOnlySpan<byte> value,
        bool onlyNew = false
    ) => Result(Libc.FSetXattr(handle, name, value, value.Length, onlyNew ? 1 : 0));

    /// <summary>Reads the names of the extended attributes, each with a NUL at its end.</summary>
    /// <returns>The length, or the negative error number.</returns>
    public static int ListAttributes(int handle, Span<byte> names) =>
        Result(Libc.FListXattr(handle, names, names.Length));

    /// <summary>Reads an extended attribute.</summary>
    /// <returns>The length, or the negative error number.</returns>
    public static int ReadAttribute(int handle, ReadOnlySpan<byte> name, Span<byte> value) =>
        Result(Libc.FGetXattr(handle, name, value, value.Length));

    private static int Open(int folder, ReadOnlySpan<byte> name, int flags, int mode)
    {
        nint result;
        do
        {
            result = Libc.OpenAt(folder, name, flags | CloseOnExec, mode);
        } while (IsInterrupted(result));
        return Result(result);
    }

    private static int Allocate(int handle, int mode, long offset, long length)
    {
        nint result;
        do
        {
            result = Libc.FAllocate(handle, mode, offset, length);
        } while (IsInterrupted(result));
        return Result(result);
    }

    private static int Statx(int folder, ReadOnlySpan<byte> name, int flags, out FileStatus status)
    {
        const int BasicStats = 0x7FF;
        const int MountId = 0x1000;
        fixed (FileStatus* target = &status)
        {
            status = default;
            return Result(Libc.Statx(folder, name, flags, BasicStats | MountId, target));
        }
    }

    // A signal ends a call that waits. Nothing was done then, so the call is repeated.
    private static bool IsInterrupted(nint result) => result < 0 && Marshal.GetLastPInvokeError() == Errno.Interrupted;

    private static int Result(nint result) => (int)(result < 0 ? -Marshal.GetLastPInvokeError() : result);

    [StructLayout(LayoutKind.Sequential)]
    private struct OpenHow
    {
        public ulong Flags;
        public ulong Mode;
        public ulong Resolve;
    }
}
