using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Restore.Mount;

/// <summary>The answer to a request: a head, and a body that is written into it.</summary>
internal sealed class FuseReply : IDisposable
{
    private const int BlockBytes = 512;
    private const int PageBytes = 4096;
    private const int NanosecondsPerTick = 100;

    // The kernel remembers what cannot change for this long. The rest it asks for again after a
    // second.
    private const ulong LastingSeconds = 24 * 60 * 60;

    private byte[] buffer = ArrayPool<byte>.Shared.Rent(HeadBytes + Unsafe.SizeOf<FuseEntryReply>());

    public int Length { get; set; }

    /// <summary>The error number; 0 for none.</summary>
    public int Error { get; set; }

    private static int HeadBytes => Unsafe.SizeOf<FuseReplyHead>();

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

    public void Write<T>(in T body)
        where T : unmanaged => MemoryMarshal.Write(Take(Unsafe.SizeOf<T>()).Span, body);

    public void WriteEntry(in NodeFacts facts)
    {
        // The generation stays 0, because a number is never used for another entry.
        var seconds = SecondsOf(facts);
        Write(
            new FuseEntryReply
            {
                Node = facts.Node,
                NameSeconds = seconds,
                AttributesSeconds = seconds,
                Attributes = AttributesOf(facts),
            }
        );
    }

    public void WriteAttributes(in NodeFacts facts) =>
        Write(new FuseAttributesReply { Seconds = SecondsOf(facts), Attributes = AttributesOf(facts) });

    /// <summary>A value, or its length alone if the request has no room.</summary>
    public void WriteValue(ReadOnlySpan<byte> value, uint room)
    {
        if (room == 0)
        {
            Write(new FuseLengthReply { LengthBytes = (uint)value.Length });
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
    public void WriteFileSystem() =>
        Write(
            new FuseFileSystemReply
            {
                BlockBytes = PageBytes,
                NameBytes = 255,
                FragmentBytes = PageBytes,
            }
        );

    /// <summary>The whole message: head and body.</summary>
    public ReadOnlySpan<byte> Message(ulong id)
    {
        var length = HeadBytes + (Error == 0 ? Length : 0);
        MemoryMarshal.Write(
            buffer,
            new FuseReplyHead
            {
                LengthBytes = length,
                Error = -Error,
                Id = id,
            }
        );
        return buffer.AsSpan(0, length);
    }

    public void Dispose() => ArrayPool<byte>.Shared.Return(buffer);

    private static ulong SecondsOf(in NodeFacts facts) => facts.IsLasting ? LastingSeconds : 1;

    private static FuseAttributes AttributesOf(in NodeFacts facts)
    {
        // Whole seconds are rounded down, because nanoseconds are never negative.
        var sinceEpoch = facts.Ticks - DateTime.UnixEpoch.Ticks;
        var seconds = Math.DivRem(sinceEpoch, TimeSpan.TicksPerSecond, out var rest);
        (seconds, rest) = rest < 0 ? (seconds - 1, rest + TimeSpan.TicksPerSecond) : (seconds, rest);
        var nanoseconds = (uint)(rest * NanosecondsPerTick);
        return new FuseAttributes
        {
            Inode = facts.Node,
            SizeBytes = (ulong)facts.SizeBytes,
            Blocks = (ulong)((facts.SizeBytes / BlockBytes) + (facts.SizeBytes % BlockBytes > 0 ? 1 : 0)),
            AccessSeconds = seconds,
            ChangeSeconds = seconds,
            StatusSeconds = seconds,
            AccessNanoseconds = nanoseconds,
            ChangeNanoseconds = nanoseconds,
            StatusNanoseconds = nanoseconds,
            Mode = facts.Mode,
            Links = 1,
            UserId = facts.UserId,
            GroupId = facts.GroupId,
            BlockBytes = PageBytes,
        };
    }
}
