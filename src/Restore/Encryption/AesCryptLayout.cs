namespace Restore.Encryption;

/// <summary>
/// Where the body of an AES Crypt stream is. If no whole stream can have its length, the stream was
/// cut or extended, and it has no HMAC to check.
/// </summary>
internal readonly record struct AesCryptLayout(long BodyOffset, long BodyBytes, bool IsWhole)
{
    public const int BlockBytes = 16;
}
