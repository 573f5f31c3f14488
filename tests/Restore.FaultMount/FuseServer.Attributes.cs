namespace Restore.FaultMount;

/// <summary>Size, mode, owner and times.</summary>
internal sealed unsafe partial class FuseServer
{
    private int Attributes(ulong node)
    {
        FileStatus status;
        if (Libc.Status(nodes[node], &status) < 0)
        {
            return Last();
        }

        return Reply(new FuseAttributesReply { Attributes = AttributesOf(status) });
    }

    private static FuseAttributes AttributesOf(in FileStatus status) =>
        new()
        {
            Inode = status.Inode,
            SizeBytes = status.SizeBytes,
            Blocks = status.Blocks,
            AccessSeconds = status.Access.Seconds,
            ChangeSeconds = status.Change.Seconds,
            StatusSeconds = status.StatusChange.Seconds,
            AccessNanoseconds = status.Access.Nanoseconds,
            ChangeNanoseconds = status.Change.Nanoseconds,
            StatusNanoseconds = status.StatusChange.Nanoseconds,
            Mode = status.Mode,
            Links = status.Links,
            UserId = status.UserId,
            GroupId = status.GroupId,
            BlockBytes = 4096,
        };

    private int SetAttributes(ulong node, in FuseSetAttributesRequest request)
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
        uint valid = request.Which;
        byte empty = 0;
        int result = 0;
        if ((valid & Mode) != 0)
        {
            result = Done(Libc.ChangeMode(nodes.PathOf(node), request.Mode & 0xFFF));
        }

        if (result == 0 && (valid & (User | Group)) != 0)
        {
            uint user = (valid & User) != 0 ? request.UserId : Unchanged;
            uint group = (valid & Group) != 0 ? request.GroupId : Unchanged;
            result = Done(Libc.ChangeOwner(nodes[node], &empty, user, group, Libc.EmptyPath));
        }

        if (result == 0 && (valid & Size) != 0)
        {
            result = Done(Libc.Truncate(nodes.PathOf(node), request.SizeBytes));
        }

        if (result == 0 && (valid & (AccessTime | ChangeTime)) != 0)
        {
            long* times = stackalloc long[4];
            times[0] = request.AccessSeconds;
            times[1] = Nanoseconds(valid, AccessTime, AccessNow, request.AccessNanoseconds);
            times[2] = request.ChangeSeconds;
            times[3] = Nanoseconds(valid, ChangeTime, ChangeNow, request.ChangeNanoseconds);
            result = Done(Libc.SetTimes(nodes[node], &empty, times, Libc.EmptyPath));
        }

        return result < 0 ? result : Attributes(node);
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
