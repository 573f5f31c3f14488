namespace Restore.Memory;

/// <summary>
/// Reads memory; native memory that is read once goes back to the system behind the place that is
/// read.
/// </summary>
internal sealed class MemoryReadStream(ReadOnlyMemory<byte> data) : ForwardReadStream
{
    private const int ForgottenAtOnceBytes = 2 << 20;

    private ReadOnlyMemory<byte> rest = data;
    private int sinceForgotten;

    public override int Read(Span<byte> buffer)
    {
        int length = Math.Min(buffer.Length, rest.Length);
        rest.Span[..length].CopyTo(buffer);
        rest = rest[length..];
        if (
            (sinceForgotten += length) >= ForgottenAtOnceBytes
            && MemoryMarshal.TryGetMemoryManager(rest, out NativeBlock? block, out int place, out _)
            && block.IsReadOnce
        )
        {
            sinceForgotten = 0;
            block.Forget(place);
        }

        return length;
    }
}
