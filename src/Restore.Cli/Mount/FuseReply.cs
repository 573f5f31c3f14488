using System.Buffers;
using System.Buffers.Binary;

namespace Restore.Cli.Mount;

/// <summary>The answer to a request: a head, and a body that is written into it. Fields are cleared before they are written.</summary>
internal sealed class FuseReply : IDisposable
{
    public const int HeadBytes = 16;

    private const int EntryBytes = 40;
    private const int AttributeBytes = 88;
    private const int BlockBytes = 512;
    private const int PageBytes = 4096;
    private const int NanosecondsPerTick = 100;

    // The kernel remembers what cannot change for this long. The rest it asks for again after a second.
    private const ulong LastingSeconds = 24 * 60 * 60;

    private byte[] buffer = ArrayPool<byte>.Shared.Rent(HeadBytes + EntryBytes + AttributeBytes);

    /// <summary>Length of the body.</summary>
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

    /// <summary>What a look-up found.</summary>
    public void WriteEntry(in NodeFacts facts)
    {
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

    /// <summary>The file system as a whole: nothing is free, and names have up to 255 bytes.</summary>
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
        var sinceEpoch = facts.Ticks - DateTime.UnixEpoch.Ticks;
        var seconds = Math.DivRem(sinceEpoch, TimeSpan.TicksPerSecond, out var rest);
        (seconds, rest) = rest < 0 ? (seconds - 1, rest + TimeSpan.TicksPerSecond) : (seconds, rest);
        BinaryPrimitives.WriteUInt64LittleEndian(to, facts.Node);
        BinaryPrimitives.WriteInt64LittleEndian(to[8..], facts.SizeBytes);
        BinaryPrimitives.WriteInt64LittleEndian(to[16..], (facts.SizeBytes / BlockBytes) + (facts.SizeBytes % BlockBytes > 0 ? 1 : 0));
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
