using System.Text;

namespace Restore.FaultMount;

/// <summary>
/// The calls. A result below zero is the negative error number, any other the length of the reply's
/// body.
/// </summary>
internal sealed unsafe partial class FuseServer
{
    /// <summary>The calls that are counted, and can fail.</summary>
    private static readonly Dictionary<FuseCall, string> CallNames = new()
    {
        [FuseCall.LookUp] = "lookup",
        [FuseCall.Attributes] = "getattr",
        [FuseCall.SetAttributes] = "setattr",
        [FuseCall.ReadLink] = "readlink",
        [FuseCall.MakeSymlink] = "symlink",
        [FuseCall.MakeFolder] = "mkdir",
        [FuseCall.RemoveFile] = "unlink",
        [FuseCall.RemoveFolder] = "rmdir",
        [FuseCall.Rename] = "rename",
        [FuseCall.MakeLink] = "link",
        [FuseCall.Open] = "open",
        [FuseCall.Read] = "read",
        [FuseCall.Write] = "write",
        [FuseCall.FileSystem] = "statfs",
        [FuseCall.Close] = "release",
        [FuseCall.Flush] = "fsync",
        [FuseCall.SetAttribute] = "setxattr",
        [FuseCall.Attribute] = "getxattr",
        [FuseCall.AttributeNames] = "listxattr",
        [FuseCall.RemoveAttribute] = "removexattr",
        [FuseCall.EndOfDescriptor] = "flush",
        [FuseCall.OpenFolder] = "opendir",
        [FuseCall.List] = "readdir",
        [FuseCall.CloseFolder] = "releasedir",
        [FuseCall.FlushFolder] = "fsyncdir",
        [FuseCall.Create] = "create",
        [FuseCall.Allocate] = "fallocate",
        [FuseCall.RenameWithFlags] = "rename",
        [FuseCall.FlushFileSystem] = "syncfs",
    };

    private int Do(FuseCall call, ulong node, byte* body) =>
        call switch
        {
            FuseCall.LookUp => LookUp(node, body),
            FuseCall.Forget => Forget(node, *(ulong*)body),
            FuseCall.Attributes => Attributes(node),
            FuseCall.SetAttributes => SetAttributes(node, *(FuseSetAttributesRequest*)body),
            FuseCall.ReadLink => ReadLink(node),
            FuseCall.MakeSymlink => Made(node, body, Libc.MakeSymlink(After(body), nodes[node], body)),
            FuseCall.MakeFolder => MakeFolder(node, *(FuseMakeFolderRequest*)body, After<FuseMakeFolderRequest>(body)),
            FuseCall.RemoveFile => Done(Libc.Remove(nodes[node], body, 0)),
            FuseCall.RemoveFolder => Done(Libc.Remove(nodes[node], body, Libc.RemoveFolder)),
            FuseCall.Rename => Rename(node, ((FuseRenameRequest*)body)->NewFolder, After<FuseRenameRequest>(body), 0),
            FuseCall.RenameWithFlags => Rename(
                node,
                ((FuseRenameWithFlagsRequest*)body)->NewFolder,
                After<FuseRenameWithFlagsRequest>(body),
                ((FuseRenameWithFlagsRequest*)body)->Flags
            ),
            FuseCall.MakeLink => MakeLink(node, *(FuseMakeLinkRequest*)body, After<FuseMakeLinkRequest>(body)),
            FuseCall.Open => Open(node, *(FuseOpenRequest*)body),
            FuseCall.Read => Read(*(FuseReadRequest*)body),
            FuseCall.Write => Write(*(FuseWriteRequest*)body, After<FuseWriteRequest>(body)),
            FuseCall.FileSystem => FileSystem(),
            FuseCall.Close => Done(Libc.Close(Handle(body))),
            FuseCall.Flush or FuseCall.FlushFolder => Done(Libc.Flush(Handle(body))),
            FuseCall.SetAttribute => SetValue(node, *(FuseSetValueRequest*)body, After<FuseSetValueRequest>(body)),
            FuseCall.Attribute => Value(node, *(FuseValueRequest*)body, After<FuseValueRequest>(body)),
            FuseCall.AttributeNames => ValueNames(node, *(FuseValueRequest*)body),
            FuseCall.RemoveAttribute => Done(Libc.RemoveAttribute(nodes.PathOf(node), body)),
            FuseCall.EndOfDescriptor or FuseCall.End or FuseCall.FlushFileSystem => 0,
            FuseCall.Begin => Begin(*(FuseBeginRequest*)body),
            FuseCall.OpenFolder => OpenFolder(node),
            FuseCall.List => List(*(FuseReadRequest*)body),
            FuseCall.CloseFolder => CloseFolder(Handle(body)),
            FuseCall.Create => Create(node, *(FuseCreateRequest*)body, After<FuseCreateRequest>(body)),
            FuseCall.ForgetAll => ForgetAll(((FuseForgetAllRequest*)body)->Count, After<FuseForgetAllRequest>(body)),
            FuseCall.Allocate => Allocate(*(FuseAllocateRequest*)body),
            FuseCall.Interrupt => Interrupt(*(ulong*)body),
            _ => -NoSuchCall,
        };

    /// <summary>The handle that a request about an open file begins with.</summary>
    private static int Handle(byte* body) => (int)*(ulong*)body;

    /// <summary>What follows the structure that a request begins with: a name, or bytes.</summary>
    private static byte* After<T>(byte* body)
        where T : unmanaged => body + sizeof(T);

    /// <summary>A structure as the body of the reply, at a place behind others.</summary>
    private int Reply<T>(in T body, int at = 0)
        where T : unmanaged
    {
        *(T*)(Out + at) = body;
        return at + sizeof(T);
    }

    /// <summary>
    /// How the backing file is opened: a cache that writes back also reads what it does not write
    /// as a whole page.
    /// </summary>
    private static int Access(uint flags) => (flags & 3) == 0 ? 0 : Libc.ReadWrite;

    private static int Count(nint length) => length < 0 ? Last() : (int)length;

    private int LookUp(ulong parent, byte* name)
    {
        int handle = Libc.OpenAt(nodes[parent], name, Libc.PathOnly | Libc.NoFollow | Libc.CloseOnExec, 0);
        return handle < 0 ? Last() : Enter(handle);
    }

    private int Made(ulong parent, byte* name, int result) => result < 0 ? Last() : LookUp(parent, name);

    private int MakeFolder(ulong parent, FuseMakeFolderRequest request, byte* name) =>
        Made(parent, name, Libc.MakeFolder(nodes[parent], name, request.Mode));

    private int MakeLink(ulong parent, FuseMakeLinkRequest request, byte* name) =>
        Made(
            parent,
            name,
            Libc.MakeLink(Libc.CurrentFolder, nodes.PathOf(request.Node), nodes[parent], name, Libc.FollowSymlink)
        );

    private int Rename(ulong from, ulong to, byte* names, uint flags) =>
        Done(Libc.Rename(nodes[from], names, nodes[to], After(names), flags));

    /// <summary>The reply about an entry that the kernel gets to know.</summary>
    private int Enter(int handle)
    {
        FileStatus status;
        if (Libc.Status(handle, &status) < 0)
        {
            int error = Last();
            _ = Libc.Close(handle);
            return error;
        }

        ulong device = (status.DeviceMajor * (ulong)uint.MaxValue) + status.DeviceMinor;
        return Reply(
            new FuseEntryReply { Node = nodes.Add(handle, (device, status.Inode)), Attributes = AttributesOf(status) }
        );
    }

    private int Forget(ulong node, ulong lookups)
    {
        nodes.Forget(node, lookups);
        return NoReply;
    }

    private int ForgetAll(uint count, byte* list)
    {
        foreach (FuseForgotten forgotten in new ReadOnlySpan<FuseForgotten>(list, (int)count))
        {
            nodes.Forget(forgotten.Node, forgotten.Lookups);
        }

        return NoReply;
    }

    private int ReadLink(ulong node)
    {
        byte empty = 0;
        return Count(Libc.ReadLink(nodes[node], &empty, Out, 4096));
    }

    private int Open(ulong node, FuseOpenRequest request) =>
        Opened(Libc.Open(nodes.PathOf(node), Access(request.Flags) | Libc.CloseOnExec, 0));

    /// <summary>The reply about an open file, behind what is there already.</summary>
    private int Opened(int handle, int at = 0)
    {
        // Read past the page cache, and without a position.
        const uint Direct = 1,
            NotSeekable = 4;
        uint flags = streams ? Direct | NotSeekable : 0;
        return handle < 0 ? Last() : Reply(new FuseOpenReply { Handle = (ulong)handle, Flags = flags }, at);
    }

    private int Create(ulong parent, FuseCreateRequest request, byte* name)
    {
        int flags =
            Libc.ReadWrite | Libc.Create | ((int)request.Flags & Libc.Exclusive) | Libc.NoFollow | Libc.CloseOnExec;
        int handle = Libc.OpenAt(nodes[parent], name, flags, request.Mode);
        if (handle < 0)
        {
            return Last();
        }

        int entry = LookUp(parent, name);
        if (entry < 0)
        {
            _ = Libc.Close(handle);
            return entry;
        }

        return Opened(handle, entry);
    }

    private int Read(FuseReadRequest request) =>
        Count(Libc.ReadAt((int)request.Handle, Out, (nint)request.LengthBytes, request.Offset));

    private int Write(FuseWriteRequest request, byte* bytes)
    {
        nint written = Libc.WriteAt((int)request.Handle, bytes, (nint)request.LengthBytes, request.Offset);
        return written < 0 ? Last() : Reply(new FuseLengthReply { LengthBytes = (uint)written });
    }

    private int Allocate(FuseAllocateRequest request) =>
        Done(Libc.Allocate((int)request.Handle, request.Mode, request.Offset, request.LengthBytes));

    private int FileSystem()
    {
        long* status = stackalloc long[32];
        if (Libc.FileSystem(nodes.PathOf(Nodes.Root), status) < 0)
        {
            return Last();
        }

        // struct statfs: the type, the size of a block, and five counts.
        return Reply(
            new FuseFileSystemReply
            {
                BlockBytes = (uint)status[1],
                FragmentBytes = (uint)status[1],
                Blocks = (ulong)status[2],
                FreeBlocks = (ulong)status[3],
                AvailableBlocks = (ulong)status[4],
                Files = (ulong)status[5],
                FreeFiles = (ulong)status[6],
                NameBytes = 255,
            }
        );
    }

    private int SetValue(ulong node, FuseSetValueRequest request, byte* name) =>
        Done(Libc.SetAttribute(nodes.PathOf(node), name, After(name), (nint)request.LengthBytes, request.Flags));

    private int Value(ulong node, FuseValueRequest request, byte* name) =>
        Value(request, Libc.GetAttribute(nodes.PathOf(node), name, Out, (nint)request.LengthBytes));

    private int ValueNames(ulong node, FuseValueRequest request) =>
        Value(request, Libc.ListAttributes(nodes.PathOf(node), Out, (nint)request.LengthBytes));

    /// <summary>The value of an attribute; its length alone if the request has no room.</summary>
    private int Value(FuseValueRequest request, nint length) =>
        length < 0 || request.LengthBytes > 0
            ? Count(length)
            : Reply(new FuseLengthReply { LengthBytes = (uint)length });

    private int OpenFolder(ulong node)
    {
        int handle = Libc.Open(nodes.PathOf(node), Libc.CloseOnExec, 0);
        if (handle >= 0)
        {
            listings[handle] =
            [
                .. Directory.EnumerateFileSystemEntries(nodes.PathOf(node)).Select(path => Path.GetFileName(path)),
            ];
        }

        return Opened(handle);
    }

    private int List(FuseReadRequest request)
    {
        Span<byte> room = new(Out, (int)Math.Min(request.LengthBytes, MaxWriteBytes));
        int used = 0;
        string[] names = listings[(int)request.Handle];
        for (int index = (int)request.Offset; index < names.Length; index++)
        {
            byte[] name = Encoding.UTF8.GetBytes(names[index]);
            FuseFolderEntry entry = new()
            {
                // Unknown here: the kernel asks when it looks the name up.
                Node = uint.MaxValue,
                Next = index + 1,
                NameBytes = name.Length,
            };
            int length = entry.Write(room[used..], name);
            if (length == 0)
            {
                break;
            }

            used += length;
        }

        return used;
    }

    private int CloseFolder(int handle)
    {
        listings.Remove(handle);
        return Done(Libc.Close(handle));
    }
}
