using System.Buffers;
using System.Buffers.Binary;

namespace Restore.Cli.Mount;

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
