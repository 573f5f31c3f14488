namespace Restore.Memory;

internal abstract class ForwardWriteStream : ForwardStream
{
    public sealed override bool CanWrite => true;

    public abstract override void Write(ReadOnlySpan<byte> buffer);

    public sealed override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));
}
