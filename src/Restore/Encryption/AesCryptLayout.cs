namespace Restore.Encryption;

/// <summary>Where the ciphertext of an AES Crypt stream is, for one length of the stream.</summary>
/// <param name="BodyOffset">Where the ciphertext starts.</param>
/// <param name="BodyBytes">Its length: whole blocks of 16.</param>
/// <param name="IsWhole">Whether the length fits a whole stream. If not it was cut (or something was added), and it has no HMAC that could be checked.</param>
internal readonly record struct AesCryptLayout(long BodyOffset, long BodyBytes, bool IsWhole)
{
    public const int BlockBytes = 16;
}

/// <summary>What to fetch of a stream to decrypt a range of its plain text.</summary>
/// <param name="Offset">Where in the stream to start.</param>
/// <param name="Length">How many bytes of ciphertext.</param>
/// <param name="StartsWithPrevious">Whether its first block is there only to decrypt the one after it.</param>
/// <param name="Skip">Plain bytes before the wanted range once it is decrypted.</param>
/// <param name="PlainLength">Length of the wanted range.</param>
internal readonly record struct AesCryptRange(long Offset, int Length, bool StartsWithPrevious, int Skip, int PlainLength);
