using System.Runtime.InteropServices;

namespace Restore.Mount.Fuse;

// The structures of /dev/fuse, version 7.31, as <linux/fuse.h> declares them. Both file systems of
// this project use them: the program's mount, and the one of tests/Restore.FaultMount, which
// compiles this folder. Numbers have the byte order of the machine, and all fields are aligned, so
// a structure is read and written as it is in memory. Fields that neither side uses are there for
// their room.

/// <summary>What a request begins with (<c>fuse_in_header</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseRequestHead
{
    public uint LengthBytes;
    public FuseCall Call;
    public ulong Id;
    public ulong Node;
    public uint UserId;
    public uint GroupId;
    public uint ProcessId;
    public uint Unused;
}

/// <summary>What a reply begins with (<c>fuse_out_header</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseReplyHead
{
    public int LengthBytes;

    /// <summary>A negative error number of the system; 0 for none.</summary>
    public int Error;

    public ulong Id;
}

/// <summary>What <c>stat</c> tells about an entry (<c>fuse_attr</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseAttributes
{
    public ulong Inode;
    public ulong SizeBytes;

    /// <summary>In units of 512 bytes, whatever the size of a block is.</summary>
    public ulong Blocks;

    public long AccessSeconds;
    public long ChangeSeconds;
    public long StatusSeconds;
    public uint AccessNanoseconds;
    public uint ChangeNanoseconds;
    public uint StatusNanoseconds;
    public uint Mode;
    public uint Links;
    public uint UserId;
    public uint GroupId;
    public uint Device;
    public uint BlockBytes;
    public uint Unused;
}

/// <summary>An entry that the kernel gets to know (<c>fuse_entry_out</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseEntryReply
{
    public ulong Node;

    /// <summary>Tells two entries apart that have the same number one after the other.</summary>
    public ulong Generation;

    public ulong NameSeconds;
    public ulong AttributesSeconds;
    public uint NameNanoseconds;
    public uint AttributesNanoseconds;
    public FuseAttributes Attributes;
}

/// <summary>The attributes of an entry (<c>fuse_attr_out</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseAttributesReply
{
    public ulong Seconds;
    public uint Nanoseconds;
    public uint Unused;
    public FuseAttributes Attributes;
}

/// <summary>Which attributes are to change, and their values (<c>fuse_setattr_in</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseSetAttributesRequest
{
    public uint Which;
    public uint Unused;
    public ulong Handle;
    public long SizeBytes;
    public ulong LockOwner;
    public long AccessSeconds;
    public long ChangeSeconds;
    public long StatusSeconds;
    public uint AccessNanoseconds;
    public uint ChangeNanoseconds;
    public uint StatusNanoseconds;
    public uint Mode;
    public uint UnusedToo;
    public uint UserId;
    public uint GroupId;
    public uint UnusedLast;
}

/// <summary>The first request (<c>fuse_init_in</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseBeginRequest
{
    public uint Major;
    public uint Minor;
    public uint ReadAheadBytes;
    public uint Flags;
}

/// <summary>What the file system agrees to (<c>fuse_init_out</c>).</summary>
[StructLayout(LayoutKind.Sequential, Size = 64)]
internal struct FuseBeginReply
{
    public uint Major;
    public uint Minor;
    public uint ReadAheadBytes;
    public uint Flags;

    /// <summary>How many requests may run that no program waits for, such as read-ahead.</summary>
    public ushort BackgroundRequests;

    /// <summary>From how many of them on the kernel sends fewer.</summary>
    public ushort CongestedRequests;

    public uint WriteBytes;
    public uint TimeNanoseconds;
    public ushort Pages;
}

/// <summary>How a file is opened (<c>fuse_open_in</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseOpenRequest
{
    public uint Flags;
    public uint Unused;
}

/// <summary>An open file or folder (<c>fuse_open_out</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseOpenReply
{
    public ulong Handle;
    public uint Flags;
    public uint Unused;
}

/// <summary>A file that is made and opened; its name follows (<c>fuse_create_in</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseCreateRequest
{
    public uint Flags;
    public uint Mode;
    public uint Mask;
    public uint Unused;
}

/// <summary>
/// A piece of a file, or entries of a folder from a position on (<c>fuse_read_in</c>).
/// </summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseReadRequest
{
    public ulong Handle;
    public long Offset;
    public uint LengthBytes;
    public uint ReadFlags;
    public ulong LockOwner;
    public uint Flags;
    public uint Unused;
}

/// <summary>A piece of a file; its bytes follow (<c>fuse_write_in</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseWriteRequest
{
    public ulong Handle;
    public long Offset;
    public uint LengthBytes;
    public uint WriteFlags;
    public ulong LockOwner;
    public uint Flags;
    public uint Unused;
}

/// <summary>How much was written, or how long a value is (<c>fuse_write_out</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseLengthReply
{
    public uint LengthBytes;
    public uint Unused;
}

/// <summary>
/// An extended attribute, or their names; a length of 0 asks for the length alone
/// (<c>fuse_getxattr_in</c>). The name of an attribute follows.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseValueRequest
{
    public uint LengthBytes;
    public uint Unused;
}

/// <summary>
/// A new value of an extended attribute; its name and the value follow (<c>fuse_setxattr_in</c>).
/// </summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseSetValueRequest
{
    public uint LengthBytes;
    public int Flags;
}

/// <summary>A new folder; its name follows (<c>fuse_mkdir_in</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseMakeFolderRequest
{
    public uint Mode;
    public uint Mask;
}

/// <summary>A new place of an entry; both names follow (<c>fuse_rename_in</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseRenameRequest
{
    public ulong NewFolder;
}

/// <summary>A new place of an entry; both names follow (<c>fuse_rename2_in</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseRenameWithFlagsRequest
{
    public ulong NewFolder;
    public uint Flags;
    public uint Unused;
}

/// <summary>Another name of a file; the name follows (<c>fuse_link_in</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseMakeLinkRequest
{
    public ulong Node;
}

/// <summary>Room for a piece of a file (<c>fuse_fallocate_in</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseAllocateRequest
{
    public ulong Handle;
    public long Offset;
    public long LengthBytes;
    public int Mode;
    public uint Unused;
}

/// <summary>An entry that the kernel forgets (<c>fuse_forget_one</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseForgotten
{
    public ulong Node;
    public ulong Lookups;
}

/// <summary>How many <see cref="FuseForgotten"/> follow (<c>fuse_batch_forget_in</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseForgetAllRequest
{
    public uint Count;
    public uint Unused;
}

/// <summary>The file system as a whole (<c>fuse_kstatfs</c>).</summary>
[StructLayout(LayoutKind.Sequential, Size = 80)]
internal struct FuseFileSystemReply
{
    public ulong Blocks;
    public ulong FreeBlocks;
    public ulong AvailableBlocks;
    public ulong Files;
    public ulong FreeFiles;
    public uint BlockBytes;
    public uint NameBytes;
    public uint FragmentBytes;
}
