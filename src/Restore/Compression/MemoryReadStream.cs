namespace Restore.Compression;

/// <summary>Reads memory as a stream.</summary>
internal sealed class MemoryReadStream(ReadOnlyMemory<byte> data) : ForwardReadStream
{
    private ReadOnlyMemory<byte> rest = data;

    public override int Read(Span<byte> buffer)
    {
        int length = Math.Min(buffer.Length, rest.Length);
        rest.Span[..length].CopyTo(buffer);
        rest = rest[length..];
        return length;
    }
}
