namespace Restore.Encryption;

/// <summary>
/// Authenticates the body of an AES Crypt stream that is read in order, by ranges that may begin a
/// little before the end of the last one.
/// </summary>
internal sealed class AesCryptAuthenticator : IDisposable
{
    private readonly PartsHmac hmac;
    private readonly bool hasSessionKey;

    /// <param name="session">The opened stream.</param>
    /// <param name="streamBytes">Its length. If that is not the length of a whole stream, there is
    /// no code to compare with.</param>
    public AesCryptAuthenticator(AesCryptSession session, long streamBytes)
    {
        hmac = session.CreateHmac();
        hasSessionKey = session.Header.HasSessionKey;
        AesCryptLayout layout = session.Header.LayoutOf(streamBytes);
        (Position, EndPosition) = (layout.BodyOffset, layout.BodyOffset + layout.BodyBytes);
    }

    /// <summary>Offset in the stream of the first byte that was not authenticated yet.</summary>
    public long Position { get; private set; }

    /// <summary>Offset in the stream where the body ends.</summary>
    public long EndPosition { get; }

    /// <summary>
    /// Adds ciphertext; what was added before is passed over, and no gap may be left.
    /// </summary>
    public void Append(long offset, ReadOnlySpan<byte> ciphertext)
    {
        if (offset > Position)
        {
            throw new InvalidOperationException($"The bytes from {Position} to {offset} were not authenticated");
        }

        int seen = (int)Math.Min(Position - offset, ciphertext.Length);
        hmac.Append(ciphertext[seen..]);
        Position += ciphertext.Length - seen;
    }

    /// <summary>
    /// Compares with the code at the end of the stream; returns what is wrong, or null.
    /// </summary>
    public string? Verify(ReadOnlySpan<byte> recorded)
    {
        Span<byte> code = stackalloc byte[AesCryptHeader.HmacBytes];
        hmac.Finish(code);
        return CryptographicOperations.FixedTimeEquals(code, recorded) ? null
            : hasSessionKey
                ? "The volume does not match its authentication code: it was damaged or cut after it was made"
            : "The volume does not match its authentication code: it was damaged after it was made, "
                + "or the passphrase is wrong (AES Crypt version 0 cannot tell which)";
    }

    public void Dispose() => hmac.Dispose();
}
