namespace Restore.Volumes;

/// <summary>
/// Reads a volume in chunks of whole entries. What was fetched into memory, a whole volume or some
/// of its entries, is one chunk (<see cref="FetchedVolume"/>). A local volume is many chunks, each
/// read when it is asked for (<see cref="ChunkedVolume"/>). The steps are the same: decrypt, take
/// the chunks to the end, look at the defect.
/// </summary>
internal abstract class VolumeReader(Volume volume) : IDisposable
{
    private List<IDisposable> attached = [];

    public Volume Volume { get; } = volume;

    /// <summary>Whether the chunks have all entries of the volume.</summary>
    public abstract bool IsWhole { get; }

    /// <summary>
    /// What is wrong with the volume; null if nothing is known to be. Its blocks may still be used
    /// one by one. Final after the last chunk.
    /// </summary>
    public string? Defect { get; protected set; }

    /// <summary>
    /// Whether the chunks ended early, because the caller asked to stop before they were read.
    /// </summary>
    public bool IsStopped { get; protected set; }

    /// <summary>Bytes of the volume that are read, for the profile and the report.</summary>
    public abstract int LengthBytes { get; }

    /// <summary>
    /// Bytes of memory that the volume occupies until its last block was used, used or not.
    /// </summary>
    public abstract long MemoryBytes { get; }

    /// <summary>
    /// Ties an object to the memory, as the credit for it: it is disposed when the last user of the
    /// memory is done.
    /// </summary>
    public void Attach(IDisposable companion) => attached.Add(companion);

    /// <summary>
    /// Decrypts what is in memory, in place if the cipher can, and prepares the decryption of the
    /// rest.
    /// </summary>
    /// <exception cref="InvalidDataException">The volume is not what its name says; no part of it
    /// can be used.</exception>
    /// <exception cref="PassphraseException">The passphrase does not open the volume.</exception>
    public abstract ValueTask DecryptAsync(CancellationToken cancellationToken);

    /// <summary>
    /// Takes the next chunk, after the decryption; null at the end. The caller owns the chunk.
    /// </summary>
    /// <param name="stopToken">Ends the volume before a chunk that is not in memory yet.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public abstract ValueTask<VolumeChunk?> NextAsync(CancellationToken stopToken, CancellationToken cancellationToken);

    public virtual void Dispose()
    {
        attached.ForEach(companion => companion.Dispose());
        attached = [];
    }

    /// <summary>Ties what is attached to the buffer that the volume is in now.</summary>
    protected void AttachTo(PooledBuffer buffer)
    {
        attached.ForEach(buffer.Attach);
        attached = [];
    }
}
