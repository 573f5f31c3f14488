namespace Restore.Encryption;

/// <summary>
/// An AES Crypt stream after its header was opened with the passphrase. Decrypts its body, or
/// ranges of it. Not safe for concurrent use.
/// </summary>
internal sealed class AesCryptSession : IDisposable
{
    /// <summary>
    /// HMAC and decryption pass over the same bytes one after the other, so a chunk must fit into
    /// the second-level cache.
    /// </summary>
    private const int ChunkBytes = 256 * 1024;

    private const int MaxAddedBytes = 1 << 20;

    private readonly byte[] key;
    private readonly byte[] iv;
    private readonly CbcDecryptor aes;

    private AesCryptSession(in AesCryptHeader header, ReadOnlySpan<byte> key, ReadOnlySpan<byte> iv)
    {
        Header = header;
        this.key = key.ToArray();
        this.iv = iv.ToArray();
        aes = new CbcDecryptor(key);
    }

    public AesCryptHeader Header { get; }

    /// <summary>
    /// Which of the other passphrases opened the header; -1 if the first one did.
    /// </summary>
    public int OtherPassphrase { get; private init; } = -1;

    /// <summary>
    /// Opens the header at the start of a stream; the rest of the stream may be missing.
    /// </summary>
    /// <param name="stream">The stream.</param>
    /// <param name="passphrase">The passphrase.</param>
    /// <param name="budget">How much the derivation of keys may cost.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <param name="isFileList">Whether it is a file list.</param>
    /// <param name="others">The passphrases to try after the first one. A header counts as tried in
    /// vain only if no passphrase opens it.</param>
    /// <exception cref="InvalidDataException">The header is missing, cut, or asks for too many
    /// rounds of key derivation.</exception>
    /// <exception cref="PassphraseException">The passphrase does not open the header. For version
    /// 0, only the HMAC of the body shows that.</exception>
    public static ValueTask<AesCryptSession> OpenAsync(
        ReadOnlyMemory<byte> stream,
        string passphrase,
        KeyBudget budget,
        CancellationToken cancellationToken,
        bool isFileList = false,
        IReadOnlyList<string>? others = null
    )
    {
        AesCryptHeader header = AesCryptHeader.Parse(stream.Span, budget.MaxIterations);
        byte[] start = stream.Span[..header.BodyOffset].ToArray();
        return budget.OpenAsync(
            header.KeyIterations,
            isFileList,
            () => OpenAsync(header, start, passphrase, others ?? [], cancellationToken),
            cancellationToken
        );
    }

    private static async ValueTask<AesCryptSession> OpenAsync(
        AesCryptHeader header,
        ReadOnlyMemory<byte> stream,
        string passphrase,
        IReadOnlyList<string> others,
        CancellationToken cancellationToken
    )
    {
        for (int other = -1; ; other++)
        {
            try
            {
                return await OpenAsync(header, stream, other < 0 ? passphrase : others[other], other, cancellationToken)
                    .ConfigureAwait(false);
            }
            catch (PassphraseException) when (other + 1 < others.Count)
            {
                // Version 0 never comes here: only the HMAC of its body refutes a passphrase.
            }
        }
    }

    private static async ValueTask<AesCryptSession> OpenAsync(
        AesCryptHeader header,
        ReadOnlyMemory<byte> stream,
        string passphrase,
        int other,
        CancellationToken cancellationToken
    )
    {
        ReadOnlyMemory<byte> iv = stream.Slice(header.IvOffset, AesCryptHeader.IvBytes);
        byte[] key = new byte[AesCryptHeader.KeyBytes];
        await AesCryptKey.DeriveAsync(header, passphrase, iv, key, cancellationToken).ConfigureAwait(false);
        try
        {
            return header.HasSessionKey
                ? Unseal(header, stream.Span, key, iv.Span, other)
                : new AesCryptSession(header, key, iv.Span) { OtherPassphrase = other };
        }
        finally
        {
            CryptographicOperations.ZeroMemory(key);
        }
    }

    /// <summary>Decrypts the whole ciphertext in place and authenticates it on the way.</summary>
    public async ValueTask DecryptBodyAsync(
        Memory<byte> body,
        AesCryptAuthenticator authenticator,
        CancellationToken cancellationToken
    )
    {
        byte[] previous = [.. iv];
        byte[] last = new byte[AesCryptLayout.BlockBytes];
        while (!body.IsEmpty)
        {
            cancellationToken.ThrowIfCancellationRequested();
            Memory<byte> chunk = body[..Math.Min(ChunkBytes, body.Length)];
            authenticator.Append(authenticator.Position, chunk.Span);

            // The last ciphertext block of a chunk is the IV of the next chunk. It is saved,
            // because decryption in place overwrites it.
            chunk[^AesCryptLayout.BlockBytes..].CopyTo(last);
            await aes.DecryptAsync(chunk, previous).ConfigureAwait(false);
            last.CopyTo(previous, 0);
            body = body[chunk.Length..];
        }
    }

    /// <summary>
    /// Finds the end of a stream that has extra bytes after it, by the authentication code at the
    /// end of the stream itself. Looks at no more than the last 1 MiB, because no disk or sync
    /// program adds more.
    /// </summary>
    /// <returns>The length of the stream; null if no part of the bytes from their start is
    /// authentic.</returns>
    public int? FindLength(ReadOnlySpan<byte> stream)
    {
        int trailer = AesCryptHeader.HmacBytes + (Header.HasLengthByteAtEnd ? 1 : 0);
        int first = stream.Length - MaxAddedBytes - trailer - Header.BodyOffset;
        first = Math.Max(0, first) / AesCryptLayout.BlockBytes * AesCryptLayout.BlockBytes;
        using IncrementalHash hmac = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, key);
        ReadOnlySpan<byte> body = stream[Math.Min(Header.BodyOffset, stream.Length)..];
        hmac.AppendData(body[..Math.Min(first, body.Length)]);
        Span<byte> code = stackalloc byte[AesCryptHeader.HmacBytes];
        for (int length = first; length + trailer <= body.Length; length += AesCryptLayout.BlockBytes)
        {
            // The state goes on after this hash, so each possible end costs one more block, not the
            // whole body again.
            hmac.GetCurrentHash(code);
            int end = length + trailer;
            if (CryptographicOperations.FixedTimeEquals(code, body[(end - AesCryptHeader.HmacBytes)..end]))
            {
                return Header.BodyOffset + end;
            }

            hmac.AppendData(body[length..Math.Min(length + AesCryptLayout.BlockBytes, body.Length)]);
        }

        return null;
    }

    /// <summary>The HMAC of the body, to be fed with its ciphertext.</summary>
    public PartsHmac CreateHmac() => new(key);

    /// <summary>Decrypts whole blocks in place, starting at any block of the body.</summary>
    /// <param name="previous">The ciphertext block before them; empty at the start of the
    /// body.</param>
    public ValueTask DecryptRangeAsync(Memory<byte> ciphertext, ReadOnlyMemory<byte> previous) =>
        aes.DecryptAsync(ciphertext, previous.IsEmpty ? iv : previous);

    /// <summary>
    /// The part to fetch for a range of the plain text. The caller stays within the body.
    /// </summary>
    public AesCryptRange RangeOf(long plainOffset, int plainLength)
    {
        int skip = (int)(plainOffset % AesCryptLayout.BlockBytes);
        long first = plainOffset - skip;
        int length = RoundUp(checked(skip + plainLength));
        bool startsWithPrevious = first > 0;
        int previous = startsWithPrevious ? AesCryptLayout.BlockBytes : 0;
        return new AesCryptRange(
            Header.BodyOffset + first - previous,
            checked(length + previous),
            startsWithPrevious,
            skip,
            plainLength
        );
    }

    /// <summary>
    /// Decrypts in place what was fetched for a range and returns the wanted text. The text is not
    /// authenticated: the caller must verify it otherwise.
    /// </summary>
    public async ValueTask<Memory<byte>> DecryptAsync(AesCryptRange range, Memory<byte> fetched)
    {
        int previous = range.StartsWithPrevious ? AesCryptLayout.BlockBytes : 0;
        Memory<byte> blocks = fetched[previous..range.Length];
        await DecryptRangeAsync(blocks, fetched[..previous]).ConfigureAwait(false);
        return blocks.Slice(range.Skip, range.PlainLength);
    }

    /// <summary>Works out the length of the plain text of a whole stream.</summary>
    /// <param name="lastBlockBytes">What the stream says (versions 0 to 2): plain bytes in the last
    /// block, 0 for all of it.</param>
    /// <param name="lastBlock">The last block, decrypted (version 3). May be empty for other
    /// versions, because their writers fill the padding as they like.</param>
    /// <param name="plainBytes">The length; the whole body if the padding is impossible.</param>
    /// <returns>Whether the padding is possible.</returns>
    public bool TryGetPlainLength(
        in AesCryptLayout layout,
        byte lastBlockBytes,
        ReadOnlySpan<byte> lastBlock,
        out long plainBytes
    )
    {
        plainBytes = layout.BodyBytes;
        int padding = Header.Version == 3 ? Pkcs7Padding(lastBlock) : ModuloPadding(lastBlockBytes);
        if (padding < 0 || padding > layout.BodyBytes)
        {
            return false;
        }

        plainBytes -= padding;
        return true;
    }

    public void Dispose()
    {
        CryptographicOperations.ZeroMemory(key);
        CryptographicOperations.ZeroMemory(iv);
        aes.Dispose();
    }

    private static AesCryptSession Unseal(
        in AesCryptHeader header,
        ReadOnlySpan<byte> stream,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> iv,
        int other
    )
    {
        int offset = header.IvOffset + AesCryptHeader.IvBytes;
        ReadOnlySpan<byte> recorded = stream.Slice(
            offset + AesCryptHeader.SealedSessionBytes,
            AesCryptHeader.HmacBytes
        );

        // Version 3 authenticates its own number, so that the stream cannot be presented as an
        // older version.
        Span<byte> authenticated = stackalloc byte[AesCryptHeader.SealedSessionBytes + 1];
        stream.Slice(offset, AesCryptHeader.SealedSessionBytes).CopyTo(authenticated);
        authenticated[^1] = header.Version;
        ReadOnlySpan<byte> covered = header.Version == 3 ? authenticated : authenticated[..^1];

        Span<byte> hmac = stackalloc byte[AesCryptHeader.HmacBytes];
        HMACSHA256.HashData(key, covered, hmac);
        if (!CryptographicOperations.FixedTimeEquals(hmac, recorded))
        {
            throw new PassphraseException("The passphrase does not open the volume, or its header is damaged");
        }

        Span<byte> session = authenticated[..^1];
        using CbcDecryptor cipher = new(key);
        cipher.Decrypt(session, iv);
        var opened = new AesCryptSession(header, session[AesCryptHeader.IvBytes..], session[..AesCryptHeader.IvBytes])
        {
            OtherPassphrase = other,
        };
        CryptographicOperations.ZeroMemory(session);
        return opened;
    }

    private static int ModuloPadding(byte lastBlockBytes) =>
        lastBlockBytes >= AesCryptLayout.BlockBytes
            ? -1
            : (AesCryptLayout.BlockBytes - lastBlockBytes) % AesCryptLayout.BlockBytes;

    private static int Pkcs7Padding(ReadOnlySpan<byte> lastBlock)
    {
        int padding = lastBlock.IsEmpty ? 0 : lastBlock[^1];
        bool isSound =
            padding is >= 1 and <= AesCryptLayout.BlockBytes && !lastBlock[^padding..].ContainsAnyExcept((byte)padding);
        return isSound ? padding : -1;
    }

    private static int RoundUp(int bytes) =>
        checked(bytes + AesCryptLayout.BlockBytes - 1) / AesCryptLayout.BlockBytes * AesCryptLayout.BlockBytes;
}
