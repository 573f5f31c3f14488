using Restore.Memory;

namespace Restore.Encryption;

/// <summary>
/// The plain archive inside an encrypted volume.
/// </summary>
/// <param name="Buffer">The buffer that holds it (for AES the very buffer the volume came in). The holder of this value owns one use of it.</param>
/// <param name="Offset">Where in the buffer the archive starts.</param>
/// <param name="Length">Its length in bytes.</param>
/// <param name="Authentic">
/// False when the body's authentication failed or its end is missing: the bytes may be used only where something else vouches for them (a block's own hash).
/// </param>
/// <param name="Defect">When not authentic: what was found, as a sentence for the report; else null.</param>
internal readonly record struct DecryptedVolume(PooledBuffer Buffer, int Offset, int Length, bool Authentic, string? Defect)
{
    public Span<byte> Span => Buffer.Array.AsSpan(Offset, Length);

    public Memory<byte> Memory => Buffer.Array.AsMemory(Offset, Length);
}

/// <summary>
/// Decrypts one kind of encrypted volume. Safe for concurrent use.
/// Throws <see cref="PassphraseException"/> when the volume's header says that the passphrase is wrong, and
/// <see cref="InvalidDataException"/> when the header is no header of that kind (garbage, too short, a cap exceeded).
/// Damage of the body is not thrown: it is <see cref="DecryptedVolume.Authentic"/> = false.
/// </summary>
internal interface IVolumeCipher
{
    /// <summary>Decrypts the volume in <paramref name="volume"/>, taking over its use; on an exception the buffer is given back.</summary>
    ValueTask<DecryptedVolume> DecryptAsync(PooledBuffer volume, CancellationToken cancellationToken = default);
}
