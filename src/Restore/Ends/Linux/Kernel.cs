namespace Restore.Ends.Linux;

/// <summary>
/// The system calls of a restore. Names end in a NUL and are relative to a folder's handle; the last component is never followed.
/// A result below zero is the negative error number; a call that a signal interrupted is repeated.
/// </summary>
internal static unsafe partial class Kernel
{
    private const int CurrentFolder = -100;
    private const int AtNoFollow = 0x100;
    private const int AtEmptyPath = 0x1000;

    private const int ReadWrite = 0x2;
    private const int Create = 0x40;
    private const int Exclusive = 0x80;
    private const int PathOnly = 0x200000;

    // Prevents hanging on a FIFO; regular files ignore the flag.
    private const int NonBlocking = 0x800;
    private const int CloseOnExec = 0x80000;

    private static readonly bool IsArm = RuntimeInformation.ProcessArchitecture == Architecture.Arm64;

    private static int OnlyFolder => IsArm ? 0x4000 : 0x10000;

    private static int Direct => IsArm ? 0x10000 : 0x4000;

    private static int NoFollow => IsArm ? 0x8000 : 0x20000;

    /// <summary>A handle of the folder that the user named; follows links.</summary>
    public static int OpenRoot(ReadOnlySpan<byte> path) => Open(CurrentFolder, path, PathOnly | OnlyFolder, 0);

    /// <summary>A handle to open other entries from; needs no right to read the folder.</summary>
    public static int OpenFolder(int folder, ReadOnlySpan<byte> name) => Open(folder, name, PathOnly | OnlyFolder | NoFollow, 0);

    /// <summary>A handle to set metadata through.</summary>
    public static int OpenFolderToRead(int folder, ReadOnlySpan<byte> name) => Open(folder, name, OnlyFolder | NoFollow | NonBlocking, 0);

    public static int CreateFile(int folder, ReadOnlySpan<byte> name, int mode) => Open(folder, name, ReadWrite | Create | Exclusive | NoFollow, mode);

    public static int OpenFile(int folder, ReadOnlySpan<byte> name, bool forWriting) =>
        Open(folder, name, (forWriting ? ReadWrite : 0) | NoFollow | NonBlocking, 0);

    /// <summary>A handle of a folder several components down; follows no link and stays below the root.</summary>
    public static int OpenFolderBeneath(int folder, ReadOnlySpan<byte> path)
    {
        // RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS, RESOLVE_BENEATH
        var how = new OpenHow { Flags = (ulong)(PathOnly | OnlyFolder | NoFollow | CloseOnExec), Resolve = 0x02 | 0x04 | 0x08 };
        fixed (byte* first = path)
        {
            nint result;
            do
            {
                result = Libc.OpenAt2(folder, first, &how, sizeof(OpenHow));
            }
            while (Again(ref result));
            return (int)result;
        }
    }

    /// <summary>Not repeated when interrupted: the handle is closed anyway, and its number may belong to another file already.</summary>
    public static int Close(int handle) => Libc.Close(handle) < 0 ? -Marshal.GetLastPInvokeError() : 0;

    public static int CreateFolder(int folder, ReadOnlySpan<byte> name, int mode)
    {
        fixed (byte* first = name)
        {
            return Result(Libc.MkdirAt(folder, first, (uint)mode));
        }
    }

    /// <summary>Removes anything but a folder.</summary>
    public static int Unlink(int folder, ReadOnlySpan<byte> name)
    {
        fixed (byte* first = name)
        {
            return Result(Libc.UnlinkAt(folder, first, 0));
        }
    }

    public static int RemoveFolder(int folder, ReadOnlySpan<byte> name)
    {
        const int RemovesFolder = 0x200;
        fixed (byte* first = name)
        {
            return Result(Libc.UnlinkAt(folder, first, RemovesFolder));
        }
    }

    public static int Rename(int folder, ReadOnlySpan<byte> from, ReadOnlySpan<byte> to)
    {
        fixed (byte* firstFrom = from, firstTo = to)
        {
            return Result(Libc.RenameAt(folder, firstFrom, folder, firstTo));
        }
    }

    /// <summary>Renames if nothing has the new name.</summary>
    public static int RenameNew(int folder, ReadOnlySpan<byte> from, ReadOnlySpan<byte> to)
    {
        fixed (byte* firstFrom = from, firstTo = to)
        {
            return Result(Libc.RenameNew(folder, firstFrom, firstTo));
        }
    }

    /// <summary>Gives a file another name, if nothing has it.</summary>
    public static int Link(int folder, ReadOnlySpan<byte> from, ReadOnlySpan<byte> to)
    {
        fixed (byte* firstFrom = from, firstTo = to)
        {
            return Result(Libc.LinkAt(folder, firstFrom, folder, firstTo, 0));
        }
    }

    public static int Symlink(ReadOnlySpan<byte> linkTarget, int folder, ReadOnlySpan<byte> name)
    {
        fixed (byte* firstTarget = linkTarget, firstName = name)
        {
            return Result(Libc.SymlinkAt(firstTarget, folder, firstName));
        }
    }

    /// <summary>Reads the target of a link.</summary>
    /// <returns>The length, or the negative error number.</returns>
    public static int ReadLink(int folder, ReadOnlySpan<byte> name, Span<byte> content)
    {
        fixed (byte* firstName = name, firstContent = content)
        {
            nint length = Libc.ReadLinkAt(folder, firstName, firstContent, content.Length);
            return length < 0 ? -Marshal.GetLastPInvokeError() : (int)length;
        }
    }

    /// <summary>Whether entries may be created in the folder.</summary>
    public static bool MayWriteInto(int folder)
    {
        const int WriteAndSearch = 3;
        fixed (byte* here = "."u8)
        {
            return Libc.AccessAt(folder, here, WriteAndSearch, 0) == 0;
        }
    }

    public static int Status(int folder, ReadOnlySpan<byte> name, out FileStatus status) => Statx(folder, name, AtNoFollow, out status);

    public static int StatusOfHandle(int handle, out FileStatus status) => Statx(handle, "\0"u8, AtEmptyPath, out status);

    public static int Write(int handle, ReadOnlySpan<byte> data, long offset)
    {
        fixed (byte* first = data)
        {
            nint result;
            do
            {
                result = Libc.PWrite(handle, first, data.Length, offset);
            }
            while (Again(ref result));
            return (int)result;
        }
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
        fixed (byte* first = data)
        {
            nint result;
            do
            {
                result = Libc.PRead(handle, first, data.Length, offset);
            }
            while (Again(ref result));
            return (int)result;
        }
    }

    /// <summary>Whether writes and reads of a handle go past the page cache (O_DIRECT).</summary>
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
        }
        while (Again(ref result));
        return (int)result;
    }

    public static int Allocate(int handle, long length)
    {
        nint result;
        do
        {
            result = Libc.FAllocate(handle, 0, 0, length);
        }
        while (Again(ref result));
        return (int)result;
    }

    /// <summary>Gives back the room of a range, which then reads as zeros; the length stays.</summary>
    public static int MakeHole(int handle, long offset, long length)
    {
        const int KeepSize = 1;
        const int PunchHole = 2;
        nint result;
        do
        {
            result = Libc.FAllocate(handle, KeepSize | PunchHole, offset, length);
        }
        while (Again(ref result));
        return (int)result;
    }

    /// <summary>Writes all of a file system to its device.</summary>
    public static int FlushFileSystem(int handle) => Result(Libc.SyncFs(handle));

    /// <summary>Writes a file to its device.</summary>
    public static int Flush(int handle) => Result(Libc.FSync(handle));

    /// <summary>Writes the content of a file to its device, and of its status only what finding the content needs.</summary>
    public static int FlushContent(int handle) => Result(Libc.FDataSync(handle));

    /// <summary>Asks the system to forget the clean pages of a file. It is advice: there is no failure.</summary>
    public static void DropCache(int handle)
    {
        const int NotNeeded = 4;
        _ = Libc.FAdvise(handle, 0, 0, NotNeeded);
    }

    /// <summary>Writes all file systems to their devices.</summary>
    public static int FlushAll()
    {
        Libc.Sync();
        return 0;
    }

    private static int Open(int folder, ReadOnlySpan<byte> name, int flags, int mode)
    {
        fixed (byte* first = name)
        {
            nint result;
            do
            {
                result = Libc.OpenAt(folder, first, flags | CloseOnExec, mode);
            }
            while (Again(ref result));
            return (int)result;
        }
    }

    private static int Statx(int folder, ReadOnlySpan<byte> name, int flags, out FileStatus status)
    {
        const int BasicStats = 0x7FF;
        fixed (byte* first = name)
        {
            fixed (FileStatus* target = &status)
            {
                status = default;
                return Result(Libc.Statx(folder, first, flags, BasicStats, target));
            }
        }
    }

    private static bool Again(ref nint result)
    {
        if (result >= 0)
        {
            return false;
        }

        result = -Marshal.GetLastPInvokeError();
        return result == -Errno.Interrupted;
    }

    private static int Result(int result) => result < 0 ? -Marshal.GetLastPInvokeError() : result;

    [StructLayout(LayoutKind.Sequential)]
    private struct OpenHow
    {
        public ulong Flags;
        public ulong Mode;
        public ulong Resolve;
    }
}
