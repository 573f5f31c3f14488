namespace Restore.Memory;

/// <summary>A stream that goes forwards only, in one direction.</summary>
internal abstract class ForwardStream : Stream
{
    public override bool CanRead => false;

    public override bool CanWrite => false;

    public sealed override bool CanSeek => false;

    public sealed override long Length => throw new NotSupportedException();

    public sealed override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public sealed override void Flush() { }

    public sealed override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public sealed override void SetLength(long value) => throw new NotSupportedException();
}
