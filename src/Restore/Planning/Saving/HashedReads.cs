namespace Restore.Planning.Saving;

/// <summary>The next bytes of a stream, hashed as they are read. The stream stays open.</summary>
/// <param name="length">How many bytes; fewer if the stream ends.</param>
internal sealed class HashedReads(Stream source, long length, IncrementalHash hash) : ForwardReadStream
{
    private long left = Math.Max(0, length);

    public override int Read(Span<byte> buffer)
    {
        int read = source.Read(buffer[..(int)Math.Min(left, buffer.Length)]);
        hash.AppendData(buffer[..read]);
        left -= read;
        return read;
    }
}
