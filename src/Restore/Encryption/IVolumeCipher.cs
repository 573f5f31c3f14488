using Restore.Memory;

namespace Restore.Encryption;

/// <summary>
/// The plain archive inside an encrypted volume.
/// </summary>
/// <param name="Buffer">The buffer that holds it (for AES the buffer of the encrypted volume itself). The holder of this value owns one use of it.</param>
/// <param name="Offset">Where in the buffer the archive starts.</param>
/// <param name="Length">Its length in bytes.</param>
/// <param name="Authentic">
/// False if the authentication of the body failed or its end is missing: use the bytes only where something else verifies them, such as a block's own hash.
/// </param>
/// <param name="Defect">If not authentic: the defect, for the report; else null.</param>
internal readonly record struct DecryptedVolume(PooledBuffer Buffer, int Offset, int Length, bool Authentic, string? Defect)
{
    public Span<byte> Span => Buffer.Array.AsSpan(Offset, Length);

    public Memory<byte> Memory => Buffer.Array.AsMemory(Offset, Length);
}

/// <summary>
/// Decrypts one kind of encrypted volume. Safe for concurrent use.
/// Throws <see cref="PassphraseException"/> if the header of the volume says that the passphrase is wrong, and
/// <see cref="InvalidDataException"/> if the volume has no header of that kind (garbage, too short, a limit exceeded).
/// Damage of the body does not throw: <see cref="DecryptedVolume.Authentic"/> is false.
/// </summary>
internal interface IVolumeCipher
{
    /// <summary>Decrypts the volume in <paramref name="volume"/> and takes over its use; returns the buffer to the pool on an exception.</summary>
    ValueTask<DecryptedVolume> DecryptAsync(PooledBuffer volume, CancellationToken cancellationToken = default);

    /// <summary>
    /// The same, and a plain archive that is much longer than its volume waits until the one before it was given back. Not for callers that keep one while they
    /// ask for the next.
    /// </summary>
    ValueTask<DecryptedVolume> DecryptInTurnAsync(PooledBuffer volume, CancellationToken cancellationToken) => DecryptAsync(volume, cancellationToken);
}
