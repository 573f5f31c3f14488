namespace Restore.Encryption;

/// <summary>
/// Encrypts a volume as an AES Crypt stream of version 2 without extensions, which every version of
/// Duplicati reads.
/// </summary>
internal static class AesCryptEncryptor
{
    /// <summary>
    /// Offset of the body in the stream: plain text at this offset can be encrypted in place.
    /// </summary>
    public const int BodyOffset = SealedOffset + AesCryptHeader.SealedSessionBytes + AesCryptHeader.HmacBytes;

    private const int IvOffset = 7;
    private const int SealedOffset = IvOffset + AesCryptHeader.IvBytes;
    private const int TrailerBytes = 1 + AesCryptHeader.HmacBytes;
    private const int ChunkBytes = 256 * 1024;

    /// <summary>
    /// Magic, version 2, the reserved byte, and the end of an empty list of extensions.
    /// </summary>
    private static ReadOnlySpan<byte> Magic => [(byte)'A', (byte)'E', (byte)'S', 2, 0, 0, 0];

    public static int EncryptedLength(int plainLength)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(plainLength);
        return checked(
            BodyOffset
            + (plainLength + AesCryptLayout.BlockBytes - 1) / AesCryptLayout.BlockBytes * AesCryptLayout.BlockBytes
            + TrailerBytes
        );
    }

    /// <summary>
    /// The plain text may be in <paramref name="destination"/> itself at <see cref="BodyOffset"/>.
    /// A given generator of random bytes is for tests only.
    /// </summary>
    public static int Encrypt(
        ReadOnlySpan<byte> plain,
        Span<byte> destination,
        string passphrase,
        RandomNumberGenerator? random = null
    )
    {
        if (plain.Overlaps(destination, out int distance) && -distance != BodyOffset)
        {
            throw new ArgumentException(
                $"A text inside the destination must start at its byte {BodyOffset}",
                nameof(plain)
            );
        }

        Span<byte> stream = destination[..EncryptedLength(plain.Length)];
        Span<byte> session = stackalloc byte[AesCryptHeader.SealedSessionBytes];
        Fill(session, random);
        WriteHeader(stream, session, passphrase, random);

        ReadOnlySpan<byte> sessionKey = session[AesCryptHeader.IvBytes..];
        stream[^TrailerBytes] = (byte)(plain.Length % AesCryptLayout.BlockBytes);
        EncryptBody(
            plain,
            stream[BodyOffset..^TrailerBytes],
            sessionKey,
            session[..AesCryptHeader.IvBytes],
            stream[^AesCryptHeader.HmacBytes..]
        );
        CryptographicOperations.ZeroMemory(session);
        return stream.Length;
    }

    private static void WriteHeader(
        Span<byte> stream,
        ReadOnlySpan<byte> session,
        string passphrase,
        RandomNumberGenerator? random
    )
    {
        Magic.CopyTo(stream);
        Span<byte> iv = stream.Slice(IvOffset, AesCryptHeader.IvBytes);
        Fill(iv, random);
        Span<byte> key = stackalloc byte[AesCryptHeader.KeyBytes];
        AesCryptKey.DeriveBySha256(passphrase, iv, key);
        Span<byte> sealedSession = stream.Slice(SealedOffset, AesCryptHeader.SealedSessionBytes);
        using Aes aes = Aes.Create();
        aes.SetKey(key);
        aes.EncryptCbc(session, iv, sealedSession, PaddingMode.None);
        HMACSHA256.HashData(key, sealedSession, stream[(SealedOffset + AesCryptHeader.SealedSessionBytes)..]);
        CryptographicOperations.ZeroMemory(key);
    }

    private static void EncryptBody(
        ReadOnlySpan<byte> plain,
        Span<byte> body,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> iv,
        Span<byte> hmac
    )
    {
        using Aes aes = Aes.Create();
        aes.SetKey(key);
        using IncrementalHash authenticator = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, key);
        plain.CopyTo(body);

        // Duplicati's reader expects each padding byte to be the number of padding bytes, although
        // the format does not define them.
        body[plain.Length..].Fill((byte)(body.Length - plain.Length));
        ReadOnlySpan<byte> previous = iv;
        while (!body.IsEmpty)
        {
            Span<byte> chunk = body[..Math.Min(ChunkBytes, body.Length)];
            aes.EncryptCbc(chunk, previous, chunk, PaddingMode.None);
            authenticator.AppendData(chunk);
            previous = chunk[^AesCryptLayout.BlockBytes..];
            body = body[chunk.Length..];
        }

        authenticator.GetHashAndReset(hmac);
    }

    private static void Fill(Span<byte> bytes, RandomNumberGenerator? random)
    {
        if (random is null)
        {
            RandomNumberGenerator.Fill(bytes);
        }
        else
        {
            random.GetBytes(bytes);
        }
    }
}
