using System.Buffers;
using System.Buffers.Binary;

namespace Restore.Mount;

/// <summary>A request of the kernel; it owns its buffer.</summary>
internal sealed class FuseRequest(byte[] buffer, int length) : IDisposable
{
    public const int HeadBytes = 40;

    /// <summary>More than the kernel sends to a file system that takes no writes.</summary>
    public const int MostBytes = 16 << 10;

    public FuseCall Call { get; } = (FuseCall)BinaryPrimitives.ReadUInt32LittleEndian(buffer.AsSpan(4));

    public ulong Id { get; } = BinaryPrimitives.ReadUInt64LittleEndian(buffer.AsSpan(8));

    public ulong Node { get; } = BinaryPrimitives.ReadUInt64LittleEndian(buffer.AsSpan(16));

    public ReadOnlyMemory<byte> Body => buffer.AsMemory(HeadBytes, length - HeadBytes);

    public ulong Number(int at) => BinaryPrimitives.ReadUInt64LittleEndian(Body.Span[at..]);

    public uint Count(int at) => BinaryPrimitives.ReadUInt32LittleEndian(Body.Span[at..]);

    /// <summary>A name that ends with a NUL.</summary>
    public ReadOnlyMemory<byte> Name(int at)
    {
        var rest = Body[at..];
        var end = rest.Span.IndexOf((byte)0);
        return end < 0 ? rest : rest[..end];
    }

    public void Dispose() => ArrayPool<byte>.Shared.Return(buffer);
}

/// <summary>The calls of the protocol that are answered.</summary>
internal enum FuseCall : uint
{
    LookUp = 1,
    Forget = 2,
    Attributes = 3,
    ReadLink = 5,
    Open = 14,
    Read = 15,
    FileSystem = 17,
    Close = 18,
    Attribute = 22,
    AttributeNames = 23,
    Begin = 26,
    OpenFolder = 27,
    List = 28,
    CloseFolder = 29,
    Interrupt = 36,
    End = 38,
    ForgetAll = 42,
}

/// <summary>
/// The answer to a request: a head, and a body that is written into it. Fields are cleared before
/// they are written.
/// </summary>
internal sealed class FuseReply : IDisposable
{
    public const int HeadBytes = 16;

    private const int EntryBytes = 40;
    private const int AttributeBytes = 88;
    private const int BlockBytes = 512;
    private const int PageBytes = 4096;
    private const int NanosecondsPerTick = 100;

    // The kernel remembers what cannot change for this long. The rest it asks for again after a
    // second.
    private const ulong LastingSeconds = 24 * 60 * 60;

    private byte[] buffer = ArrayPool<byte>.Shared.Rent(HeadBytes + EntryBytes + AttributeBytes);

    public int Length { get; set; }

    /// <summary>The error number; 0 for none.</summary>
    public int Error { get; set; }

    /// <summary>The body with room for a number of bytes, which are its length then.</summary>
    public Memory<byte> Take(int bytes)
    {
        if (buffer.Length < HeadBytes + bytes)
        {
            ArrayPool<byte>.Shared.Return(buffer);
            buffer = ArrayPool<byte>.Shared.Rent(HeadBytes + bytes);
        }

        Length = bytes;
        return buffer.AsMemory(HeadBytes, bytes);
    }

    public void Write(ReadOnlySpan<byte> body) => body.CopyTo(Take(body.Length).Span);

    public void WriteEntry(in NodeFacts facts)
    {
        // struct fuse_entry_out: node, generation, then how long the name and the attributes stay
        // valid. The generation is 0, because a number is never used for another entry.
        var body = Take(EntryBytes + AttributeBytes).Span;
        body.Clear();
        var seconds = facts.IsLasting ? LastingSeconds : 1;
        BinaryPrimitives.WriteUInt64LittleEndian(body, facts.Node);
        BinaryPrimitives.WriteUInt64LittleEndian(body[16..], seconds);
        BinaryPrimitives.WriteUInt64LittleEndian(body[24..], seconds);
        Write(body[EntryBytes..], facts);
    }

    public void WriteAttributes(in NodeFacts facts)
    {
        // struct fuse_attr_out: how long the attributes stay valid, and the attributes from byte 16
        // on.
        var body = Take(HeadBytes + AttributeBytes).Span;
        body.Clear();
        BinaryPrimitives.WriteUInt64LittleEndian(body, facts.IsLasting ? LastingSeconds : 1);
        Write(body[HeadBytes..], facts);
    }

    public void WriteHandle(ulong handle, uint flags)
    {
        var body = Take(16).Span;
        body.Clear();
        BinaryPrimitives.WriteUInt64LittleEndian(body, handle);
        BinaryPrimitives.WriteUInt32LittleEndian(body[8..], flags);
    }

    /// <summary>A value, or its length alone if the request has no room.</summary>
    public void WriteValue(ReadOnlySpan<byte> value, uint room)
    {
        if (room == 0)
        {
            var body = Take(8).Span;
            body.Clear();
            BinaryPrimitives.WriteInt32LittleEndian(body, value.Length);
        }
        else if (value.Length > room)
        {
            throw new FuseException(FuseException.ResultTooLong);
        }
        else
        {
            Write(value);
        }
    }

    /// <summary>
    /// The file system as a whole: nothing is free, and names have up to 255 bytes.
    /// </summary>
    public void WriteFileSystem()
    {
        var body = Take(80).Span;
        body.Clear();
        BinaryPrimitives.WriteInt32LittleEndian(body[40..], PageBytes);
        BinaryPrimitives.WriteInt32LittleEndian(body[44..], 255);
        BinaryPrimitives.WriteInt32LittleEndian(body[48..], PageBytes);
    }

    /// <summary>The whole message: head and body.</summary>
    public ReadOnlySpan<byte> Message(ulong id)
    {
        var length = HeadBytes + (Error == 0 ? Length : 0);
        BinaryPrimitives.WriteInt32LittleEndian(buffer, length);
        BinaryPrimitives.WriteInt32LittleEndian(buffer.AsSpan(4), -Error);
        BinaryPrimitives.WriteUInt64LittleEndian(buffer.AsSpan(8), id);
        return buffer.AsSpan(0, length);
    }

    public void Dispose() => ArrayPool<byte>.Shared.Return(buffer);

    private static void Write(Span<byte> to, in NodeFacts facts)
    {
        // struct fuse_attr. Whole seconds are rounded down, because nanoseconds are never negative.
        var sinceEpoch = facts.Ticks - DateTime.UnixEpoch.Ticks;
        var seconds = Math.DivRem(sinceEpoch, TimeSpan.TicksPerSecond, out var rest);
        (seconds, rest) = rest < 0 ? (seconds - 1, rest + TimeSpan.TicksPerSecond) : (seconds, rest);
        BinaryPrimitives.WriteUInt64LittleEndian(to, facts.Node);
        BinaryPrimitives.WriteInt64LittleEndian(to[8..], facts.SizeBytes);
        BinaryPrimitives.WriteInt64LittleEndian(
            to[16..],
            (facts.SizeBytes / BlockBytes) + (facts.SizeBytes % BlockBytes > 0 ? 1 : 0)
        );
        for (var time = 0; time < 3; time++)
        {
            BinaryPrimitives.WriteInt64LittleEndian(to[(24 + (8 * time))..], seconds);
            BinaryPrimitives.WriteUInt32LittleEndian(to[(48 + (4 * time))..], (uint)(rest * NanosecondsPerTick));
        }

        BinaryPrimitives.WriteUInt32LittleEndian(to[60..], facts.Mode);
        BinaryPrimitives.WriteUInt32LittleEndian(to[64..], 1);
        BinaryPrimitives.WriteUInt32LittleEndian(to[68..], facts.UserId);
        BinaryPrimitives.WriteUInt32LittleEndian(to[72..], facts.GroupId);
        BinaryPrimitives.WriteUInt32LittleEndian(to[80..], PageBytes);
    }
}

/// <summary>Writes the entries of a folder in the form of the kernel, as many as fit.</summary>
internal sealed class FolderWriter(Memory<byte> destination)
{
    private const int HeadBytes = 24;

    public int Length { get; private set; }

    /// <summary>Adds an entry.</summary>
    /// <param name="node">Its number.</param>
    /// <param name="type">Its type, as in a mode.</param>
    /// <param name="name">Its name in UTF-8.</param>
    /// <param name="next">The position of the entry after it.</param>
    /// <returns>False if there is no room left.</returns>
    public bool TryAdd(ulong node, uint type, ReadOnlySpan<byte> name, long next)
    {
        // struct fuse_dirent: each begins at a multiple of 8 bytes.
        var length = (HeadBytes + name.Length + 7) / 8 * 8;
        if (length > destination.Length - Length)
        {
            return false;
        }

        var entry = destination.Span.Slice(Length, length);
        entry.Clear();
        BinaryPrimitives.WriteUInt64LittleEndian(entry, node);
        BinaryPrimitives.WriteInt64LittleEndian(entry[8..], next);
        BinaryPrimitives.WriteInt32LittleEndian(entry[16..], name.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(entry[20..], type >> 12);
        name.CopyTo(entry[HeadBytes..]);
        Length += length;
        return true;
    }
}

/// <summary>The failure of one call, as an error number of the system.</summary>
internal sealed class FuseException(int error) : Exception($"Error {error}")
{
    public const int NoSuchEntry = 2;
    public const int Interrupted = 4;
    public const int InputOutput = 5;
    public const int NotFolder = 20;
    public const int IsFolder = 21;
    public const int Invalid = 22;
    public const int ResultTooLong = 34;
    public const int NoSuchCall = 38;
    public const int NoData = 61;
    public const int Stale = 116;

    public int Error => error;
}
