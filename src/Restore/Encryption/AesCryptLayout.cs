namespace Restore.Encryption;

/// <summary>Where the ciphertext of an AES Crypt stream of a certain length is.</summary>
/// <param name="BodyOffset">Where the ciphertext starts.</param>
/// <param name="BodyBytes">Its length: whole blocks of 16.</param>
/// <param name="IsWhole">Whether the length is that of a whole stream. If not, the stream was cut or extended, and it has no HMAC to check.</param>
internal readonly record struct AesCryptLayout(long BodyOffset, long BodyBytes, bool IsWhole)
{
    public const int BlockBytes = 16;
}

/// <summary>The part of a stream to fetch in order to decrypt a range of its plain text.</summary>
/// <param name="Offset">Where in the stream to start.</param>
/// <param name="Length">How many bytes of ciphertext.</param>
/// <param name="StartsWithPrevious">Whether the first block only serves to decrypt the one after it.</param>
/// <param name="Skip">Decrypted bytes before the wanted range.</param>
/// <param name="PlainLength">Length of the wanted range.</param>
internal readonly record struct AesCryptRange(long Offset, int Length, bool StartsWithPrevious, int Skip, int PlainLength);
