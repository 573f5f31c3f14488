namespace Restore.Volumes;

/// <summary>
/// A volume that was fetched into a pooled buffer, as the store has it: the whole file, as far as
/// it can be read, or some of its entries. It is one chunk.
/// </summary>
internal sealed class FetchedVolume : VolumeReader
{
    private readonly Func<PooledBuffer, CancellationToken, ValueTask<VolumeChunk>> decrypt;
    private PooledBuffer? fetched;
    private VolumeChunk? chunk;
    private IDisposable? source;
    private int lengthBytes;

    /// <summary>The whole file. Takes over the buffer.</summary>
    public FetchedVolume(VolumeLoader loader, Volume volume, PooledBuffer buffer)
        : base(volume)
    {
        IsWhole = true;
        (fetched, lengthBytes, MemoryBytes) = (buffer, buffer.Length, volume.MemoryFor(buffer.Room.Length));
        decrypt = (bytes, token) => DecryptAsync(loader, bytes, token);
        Defect =
            buffer.Length < volume.SizeBytes
                ? $"The volume ended after {buffer.Length:N0} of {volume.SizeBytes:N0} bytes"
                : null;
    }

    /// <summary>
    /// Some entries. Takes over their buffer; only the hash of each block verifies them.
    /// </summary>
    /// <param name="source">Disposed after the decryption.</param>
    /// <param name="sourceBytes">The memory that it takes until then.</param>
    public FetchedVolume(Volume volume, FetchedEntries entries, IDisposable source, long sourceBytes)
        : base(volume)
    {
        this.source = source;
        (fetched, lengthBytes) = (entries.Buffer, entries.Buffer.Length);
        MemoryBytes = volume.MemoryFor(entries.Buffer.Room.Length) + sourceBytes;
        decrypt = (_, token) => entries.DecryptAsync(authenticator: null, token);
    }

    public override bool IsWhole { get; }

    public override int LengthBytes => lengthBytes;

    public override long MemoryBytes { get; }

    public override async ValueTask DecryptAsync(CancellationToken cancellationToken)
    {
        // The cipher takes over the buffer and may return another one: what is attached belongs to
        // the returned one.
        PooledBuffer bytes = fetched ?? throw new ObjectDisposedException(nameof(FetchedVolume));
        fetched = null;
        chunk = await decrypt(bytes, cancellationToken).ConfigureAwait(false);
        lengthBytes = chunk.LengthBytes;
        AttachTo(chunk.Buffer);
        source?.Dispose();
        source = null;
    }

    public override ValueTask<VolumeChunk?> NextAsync(CancellationToken stopToken, CancellationToken cancellationToken)
    {
        VolumeChunk? only = chunk;
        chunk = null;
        return ValueTask.FromResult(only);
    }

    public override void Dispose()
    {
        fetched?.Dispose();
        fetched = null;
        chunk?.Dispose();
        chunk = null;
        source?.Dispose();
        source = null;
        base.Dispose();
    }

    private async ValueTask<VolumeChunk> DecryptAsync(
        VolumeLoader loader,
        PooledBuffer bytes,
        CancellationToken cancellationToken
    )
    {
        if (bytes.Length == 0)
        {
            bytes.Dispose();
            throw new InvalidDataException("The volume is empty");
        }

        DecryptedVolume plain = await loader.DecryptAsync(Volume, bytes, cancellationToken).ConfigureAwait(false);
        Defect ??= plain.Defect ?? plain.Note;
        return new VolumeChunk(
            plain.Buffer,
            plain.Length,
            codecs => ArchiveReader.Open(Volume.Name.Archive, plain.Memory, codecs)
        );
    }
}
