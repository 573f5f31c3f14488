namespace Restore.Compression.Methods;

/// <summary>
/// Writes Deflate without compression. Each write is passed on immediately, without a copy.
/// Disposal ends the data and leaves the output open.
/// </summary>
internal sealed class StoredStream(Stream output) : ForwardWriteStream
{
    private readonly byte[] header = new byte[StoredBlock.HeaderBytes];
    private bool isEnded;

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        while (!buffer.IsEmpty)
        {
            ReadOnlySpan<byte> block = buffer[..Math.Min(buffer.Length, StoredBlock.MaxBytes)];
            StoredBlock.WriteHeader(header, block.Length);
            output.Write(header);
            output.Write(block);
            buffer = buffer[block.Length..];
        }
    }

    public override async ValueTask WriteAsync(
        ReadOnlyMemory<byte> buffer,
        CancellationToken cancellationToken = default
    )
    {
        while (!buffer.IsEmpty)
        {
            ReadOnlyMemory<byte> block = buffer[..Math.Min(buffer.Length, StoredBlock.MaxBytes)];
            StoredBlock.WriteHeader(header, block.Length);
            await output.WriteAsync(header, cancellationToken).ConfigureAwait(false);
            await output.WriteAsync(block, cancellationToken).ConfigureAwait(false);
            buffer = buffer[block.Length..];
        }
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override async ValueTask DisposeAsync()
    {
        if (!isEnded)
        {
            isEnded = true;
            await output.WriteAsync(StoredBlock.End.ToArray()).ConfigureAwait(false);
        }

        await base.DisposeAsync().ConfigureAwait(false);
    }
}
