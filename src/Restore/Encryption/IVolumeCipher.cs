namespace Restore.Encryption;

/// <summary>
/// Decrypts one kind of encrypted volume. Safe for concurrent use. Throws
/// <see cref="PassphraseException"/> if the header of the volume says that the passphrase is wrong,
/// and <see cref="InvalidDataException"/> if the volume has no header of that kind (garbage, too
/// short, a limit exceeded). Damage of the body does not throw:
/// <see cref="DecryptedVolume.Authentic"/> is false.
/// </summary>
internal interface IVolumeCipher
{
    /// <summary>
    /// Decrypts the volume in <paramref name="volume"/> and takes over its use; returns the buffer
    /// to the pool on an exception.
    /// </summary>
    ValueTask<DecryptedVolume> DecryptAsync(PooledBuffer volume, CancellationToken cancellationToken = default);

    /// <summary>
    /// The same, but a plain archive that is much longer than its volume waits until the previous
    /// such archive was returned. Not for callers that keep one archive while they ask for the
    /// next.
    /// </summary>
    ValueTask<DecryptedVolume> DecryptInTurnAsync(PooledBuffer volume, CancellationToken cancellationToken) =>
        DecryptAsync(volume, cancellationToken);
}
