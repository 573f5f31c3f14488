using System.Text;

namespace Restore.FaultMount;

/// <summary>
/// The calls. A result below zero is the negative error number, any other the length of the reply's
/// body.
/// </summary>
internal sealed unsafe partial class FuseServer
{
    /// <summary>The calls that are counted, and can fail.</summary>
    private static readonly Dictionary<uint, string> CallNames = new()
    {
        [1] = "lookup",
        [3] = "getattr",
        [4] = "setattr",
        [5] = "readlink",
        [6] = "symlink",
        [9] = "mkdir",
        [10] = "unlink",
        [11] = "rmdir",
        [12] = "rename",
        [13] = "link",
        [14] = "open",
        [15] = "read",
        [16] = "write",
        [17] = "statfs",
        [18] = "release",
        [20] = "fsync",
        [21] = "setxattr",
        [22] = "getxattr",
        [23] = "listxattr",
        [24] = "removexattr",
        [25] = "flush",
        [27] = "opendir",
        [28] = "readdir",
        [29] = "releasedir",
        [30] = "fsyncdir",
        [35] = "create",
        [43] = "fallocate",
        [45] = "rename",
        [50] = "syncfs",
    };

    private int Do(uint call, ulong node, byte* body) =>
        call switch
        {
            1 => LookUp(node, body),
            2 => Forget(node, *(ulong*)body),
            3 => Attributes(node, Out, AttributesAt),
            4 => SetAttributes(node, body),
            5 => ReadLink(node),
            6 => Made(node, body, Libc.MakeSymlink(After(body), nodes[node], body)),
            9 => Made(node, body + 8, Libc.MakeFolder(nodes[node], body + 8, *(uint*)body)),
            10 => Done(Libc.Remove(nodes[node], body, 0)),
            11 => Done(Libc.Remove(nodes[node], body, Libc.RemoveFolder)),
            12 => Done(Libc.Rename(nodes[node], body + 8, nodes[*(ulong*)body], After(body + 8), 0)),
            13 => Made(
                node,
                body + 8,
                Libc.MakeLink(Libc.CurrentFolder, nodes.PathOf(*(ulong*)body), nodes[node], body + 8, 0x400)
            ),
            14 => Opened(Libc.Open(nodes.PathOf(node), Access(*(uint*)body) | Libc.CloseOnExec, 0), Out),
            15 => Count(Libc.ReadAt(Handle(body), Out, *(int*)(body + 16), *(long*)(body + 8))),
            16 => Write(body),
            17 => FileSystem(),
            18 => Done(Libc.Close(Handle(body))),
            20 or 30 => Done(Libc.Flush(Handle(body))),
            21 => Done(
                Libc.SetAttribute(nodes.PathOf(node), body + 8, After(body + 8), *(int*)body, *(int*)(body + 4))
            ),
            22 => Value(body, Libc.GetAttribute(nodes.PathOf(node), body + 8, Out, *(int*)body)),
            23 => Value(body, Libc.ListAttributes(nodes.PathOf(node), Out, *(int*)body)),
            24 => Done(Libc.RemoveAttribute(nodes.PathOf(node), body)),
            25 or 38 or 50 => 0,
            26 => Begin(body),
            27 => OpenFolder(node),
            28 => List(body),
            29 => CloseFolder(body),
            35 => Create(node, body),
            42 => ForgetAll(body),
            43 => Done(Libc.Allocate(Handle(body), *(int*)(body + 24), *(long*)(body + 8), *(long*)(body + 16))),
            45 => Done(Libc.Rename(nodes[node], body + 16, nodes[*(ulong*)body], After(body + 16), *(uint*)(body + 8))),
            36 => Interrupt(*(ulong*)body),
            _ => -NoSuchCall,
        };

    private static int Handle(byte* body) => (int)*(ulong*)body;

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

    /// <summary>The reply about an entry that the kernel gets to know.</summary>
    private int Enter(int handle)
    {
        byte* status = stackalloc byte[256];
        byte empty = 0;
        if (Libc.Status(handle, &empty, Libc.EmptyPath, 0x7FF, status) < 0)
        {
            int error = Last();
            _ = Libc.Close(handle);
            return error;
        }

        new Span<byte>(Out, EntryAt + AttributeBytes).Clear();
        ulong device = (*(uint*)(status + 136) * (ulong)uint.MaxValue) + *(uint*)(status + 140);
        *(ulong*)Out = nodes.Add(handle, (device, *(ulong*)(status + 32)));
        PutAttributes(status, Out + EntryAt);
        return EntryAt + AttributeBytes;
    }

    private int Forget(ulong node, ulong lookups)
    {
        nodes.Forget(node, lookups);
        return NoReply;
    }

    private int ForgetAll(byte* body)
    {
        for (uint index = 0; index < *(uint*)body; index++)
        {
            nodes.Forget(*(ulong*)(body + 8 + (index * 16)), *(ulong*)(body + 16 + (index * 16)));
        }

        return NoReply;
    }

    private int ReadLink(ulong node)
    {
        byte empty = 0;
        return Count(Libc.ReadLink(nodes[node], &empty, Out, 4096));
    }

    private static int Opened(int handle, byte* to)
    {
        if (handle < 0)
        {
            return Last();
        }

        *(ulong*)to = (ulong)handle;
        *(ulong*)(to + 8) = 0;
        return 16;
    }

    private int Create(ulong parent, byte* body)
    {
        int flags = Libc.ReadWrite | Libc.Create | (*(int*)body & Libc.Exclusive) | Libc.NoFollow | Libc.CloseOnExec;
        int handle = Libc.OpenAt(nodes[parent], body + 16, flags, *(uint*)(body + 4));
        if (handle < 0)
        {
            return Last();
        }

        int entry = LookUp(parent, body + 16);
        if (entry < 0)
        {
            _ = Libc.Close(handle);
            return entry;
        }

        return entry + Opened(handle, Out + entry);
    }

    private int Write(byte* body)
    {
        nint written = Libc.WriteAt(Handle(body), body + 40, *(int*)(body + 16), *(long*)(body + 8));
        *(ulong*)Out = (ulong)Math.Max(written, 0);
        return written < 0 ? Last() : 8;
    }

    private int FileSystem()
    {
        long* status = stackalloc long[32];
        if (Libc.FileSystem(nodes.PathOf(Nodes.Root), status) < 0)
        {
            return Last();
        }

        new Span<byte>(Out, 80).Clear();
        for (int index = 0; index < 5; index++)
        {
            *(long*)(Out + (index * 8)) = status[index + 2];
        }

        *(uint*)(Out + 40) = (uint)status[1];
        *(uint*)(Out + 44) = 255;
        *(uint*)(Out + 48) = (uint)status[1];
        return 80;
    }

    /// <summary>The value of an attribute; its length alone if the request has no room.</summary>
    private int Value(byte* body, nint length)
    {
        if (length < 0 || *(int*)body > 0)
        {
            return Count(length);
        }

        *(ulong*)Out = (ulong)length;
        return 8;
    }

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

        return Opened(handle, Out);
    }

    private int List(byte* body)
    {
        int room = Math.Min(*(int*)(body + 16), MaxWriteBytes);
        int used = 0;
        string[] names = listings[Handle(body)];
        for (int index = (int)*(long*)(body + 8); index < names.Length; index++)
        {
            byte[] name = Encoding.UTF8.GetBytes(names[index]);
            int length = (24 + name.Length + 7) / 8 * 8;
            if (used + length > room)
            {
                break;
            }

            byte* entry = Out + used;
            new Span<byte>(entry, length).Clear();
            *(ulong*)entry = uint.MaxValue;
            *(long*)(entry + 8) = index + 1;
            *(int*)(entry + 16) = name.Length;
            name.CopyTo(new Span<byte>(entry + 24, name.Length));
            used += length;
        }

        return used;
    }

    private int CloseFolder(byte* body)
    {
        listings.Remove(Handle(body));
        return Done(Libc.Close(Handle(body)));
    }
}
