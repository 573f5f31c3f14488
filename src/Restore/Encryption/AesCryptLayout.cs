namespace Restore.Encryption;

/// <summary>
/// If the length is not that of a whole stream, the stream was cut or extended, and it has no HMAC
/// to check.
/// </summary>
internal readonly record struct AesCryptLayout(long BodyOffset, long BodyBytes, bool IsWhole)
{
    public const int BlockBytes = 16;
}
