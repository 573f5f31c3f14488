namespace Restore.FaultMount;

/// <summary>Size, mode, owner and times.</summary>
internal sealed unsafe partial class FuseServer
{
    /// <summary>
    /// Where the attributes are in the reply about an entry, and in the one about attributes; how
    /// long they are.
    /// </summary>
    private const int EntryAt = 40;
    private const int AttributesAt = 16;
    private const int AttributeBytes = 88;

    private int Attributes(ulong node, byte* to, int at)
    {
        byte* status = stackalloc byte[256];
        byte empty = 0;
        if (Libc.Status(nodes[node], &empty, Libc.EmptyPath, 0x7FF, status) < 0)
        {
            return Last();
        }

        new Span<byte>(to, at + AttributeBytes).Clear();
        PutAttributes(status, to + at);
        return at + AttributeBytes;
    }

    /// <summary>From a struct statx to a struct fuse_attr.</summary>
    private static void PutAttributes(byte* status, byte* to)
    {
        *(ulong*)to = *(ulong*)(status + 32);
        *(ulong*)(to + 8) = *(ulong*)(status + 40);
        *(ulong*)(to + 16) = *(ulong*)(status + 48);
        *(ulong*)(to + 24) = *(ulong*)(status + 64);
        *(ulong*)(to + 32) = *(ulong*)(status + 112);
        *(ulong*)(to + 40) = *(ulong*)(status + 96);
        *(uint*)(to + 48) = *(uint*)(status + 72);
        *(uint*)(to + 52) = *(uint*)(status + 120);
        *(uint*)(to + 56) = *(uint*)(status + 104);
        *(uint*)(to + 60) = *(ushort*)(status + 28);
        *(uint*)(to + 64) = *(uint*)(status + 16);
        *(uint*)(to + 68) = *(uint*)(status + 20);
        *(uint*)(to + 72) = *(uint*)(status + 24);
        *(uint*)(to + 80) = 4096;
    }

    private int SetAttributes(ulong node, byte* body)
    {
        const uint Mode = 1,
            User = 2,
            Group = 4,
            Size = 8,
            AccessTime = 16,
            ChangeTime = 32,
            AccessNow = 128,
            ChangeNow = 256,
            Unchanged = uint.MaxValue;
        uint valid = *(uint*)body;
        byte empty = 0;
        int result = 0;
        if ((valid & Mode) != 0)
        {
            result = Done(Libc.ChangeMode(nodes.PathOf(node), *(uint*)(body + 68) & 0xFFF));
        }

        if (result == 0 && (valid & (User | Group)) != 0)
        {
            uint user = (valid & User) != 0 ? *(uint*)(body + 76) : Unchanged;
            uint group = (valid & Group) != 0 ? *(uint*)(body + 80) : Unchanged;
            result = Done(Libc.ChangeOwner(nodes[node], &empty, user, group, Libc.EmptyPath));
        }

        if (result == 0 && (valid & Size) != 0)
        {
            result = Done(Libc.Truncate(nodes.PathOf(node), *(long*)(body + 16)));
        }

        if (result == 0 && (valid & (AccessTime | ChangeTime)) != 0)
        {
            long* times = stackalloc long[4];
            times[0] = *(long*)(body + 32);
            times[1] = Nanoseconds(valid, AccessTime, AccessNow, *(uint*)(body + 56));
            times[2] = *(long*)(body + 40);
            times[3] = Nanoseconds(valid, ChangeTime, ChangeNow, *(uint*)(body + 60));
            result = Done(Libc.SetTimes(nodes[node], &empty, times, Libc.EmptyPath));
        }

        return result < 0 ? result : Attributes(node, Out, AttributesAt);
    }

    private static long Nanoseconds(uint valid, uint isSet, uint isNow, uint value)
    {
        const long Now = 0x3FFFFFFF,
            Omit = 0x3FFFFFFE;
        return (valid & isSet) == 0 ? Omit
            : (valid & isNow) != 0 ? Now
            : value;
    }
}
