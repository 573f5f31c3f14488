namespace Restore.Volumes;

/// <summary>
/// The bytes of a volume in memory: the whole file (<see cref="WholeVolume"/>) or some of its
/// entries (<see cref="OpenedPart"/>), in a pooled buffer that it owns; or the means to read it
/// chunk by chunk (<see cref="ChunkedVolume"/>). The steps are the same: decrypt, then open the
/// archive.
/// </summary>
internal abstract class FetchedVolume(Volume volume, PooledBuffer? buffer) : IDisposable
{
    private PooledBuffer? buffer = buffer;
    private List<IDisposable>? attached;

    public Volume Volume { get; } = volume;

    public abstract bool IsWhole { get; }

    /// <summary>
    /// What is wrong with the volume; null if nothing is known to be. Its blocks may still be used
    /// one by one.
    /// </summary>
    public string? Defect { get; protected set; }

    public virtual int LengthBytes => buffer?.Length ?? 0;

    /// <summary>
    /// Bytes of memory that the volume occupies until its last block was used, used or not.
    /// </summary>
    public virtual long MemoryBytes => Volume.MemoryFor(Buffer.Room.Length);

    /// <summary>
    /// The memory with the bytes; a block that is stored without compression is used in place.
    /// </summary>
    public PooledBuffer Buffer => buffer ?? throw new ObjectDisposedException(nameof(FetchedVolume));

    /// <summary>
    /// Ties an object to the memory, as the credit for it: it is disposed when the last user of the
    /// memory is done.
    /// </summary>
    public void Attach(IDisposable companion) => (attached ??= []).Add(companion);

    /// <summary>Decrypts the bytes, in place if the cipher can.</summary>
    /// <exception cref="InvalidDataException">The volume is not what its name says; no part of it
    /// can be used.</exception>
    /// <exception cref="Encryption.PassphraseException">The passphrase does not open the
    /// volume.</exception>
    public virtual async ValueTask DecryptAsync(VolumeLoader loader, CancellationToken cancellationToken)
    {
        // The cipher takes over the buffer and may return another one: what is attached belongs to
        // the returned one.
        PooledBuffer fetched = Buffer;
        buffer = null;
        buffer = await DecryptAsync(loader, fetched, cancellationToken).ConfigureAwait(false);
        attached?.ForEach(buffer.Attach);
        attached = null;
    }

    /// <summary>
    /// Opens the archive, after decryption. The archive is valid as long as this volume is.
    /// </summary>
    /// <exception cref="InvalidDataException">No entry can be found in it.</exception>
    public abstract Archive OpenArchive(Codecs codecs);

    public virtual void Dispose()
    {
        buffer?.Dispose();
        buffer = null;
        attached?.ForEach(companion => companion.Dispose());
        attached = null;
    }

    /// <summary>
    /// Decrypts; takes over the buffer. What is decrypted already stays as it is.
    /// </summary>
    protected virtual ValueTask<PooledBuffer> DecryptAsync(
        VolumeLoader loader,
        PooledBuffer fetched,
        CancellationToken cancellationToken
    ) => ValueTask.FromResult(fetched);
}
