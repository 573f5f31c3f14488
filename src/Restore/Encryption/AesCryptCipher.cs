namespace Restore.Encryption;

/// <summary>Decrypts .aes volumes (AES Crypt versions 0 to 3) in place.</summary>
internal sealed class AesCryptCipher : IVolumeCipher
{
    private readonly string passphrase;
    private readonly KeyBudget budget;
    private readonly IReadOnlyList<string> others;

    public AesCryptCipher(string passphrase, KeyBudget budget, IReadOnlyList<string>? others = null)
    {
        this.passphrase = passphrase;
        this.budget = budget;
        this.others = others ?? [];
    }

    public AesCryptCipher(string passphrase, int maxKeyIterations)
        : this(passphrase, new KeyBudget(maxKeyIterations)) { }

    /// <summary>For file lists. For other volumes, the key budget allows less.</summary>
    public ValueTask<DecryptedVolume> DecryptAsync(
        PooledBuffer volume,
        CancellationToken cancellationToken = default
    ) => DecryptAsync(volume, isFileList: true, cancellationToken);

    public ValueTask<DecryptedVolume> DecryptInTurnAsync(PooledBuffer volume, CancellationToken cancellationToken) =>
        DecryptAsync(volume, isFileList: false, cancellationToken);

    private async ValueTask<DecryptedVolume> DecryptAsync(
        PooledBuffer volume,
        bool isFileList,
        CancellationToken cancellationToken
    )
    {
        using PooledBuffer owned = volume;
        using AesCryptSession session = await AesCryptSession
            .OpenAsync(owned.Memory, passphrase, budget, cancellationToken, isFileList, others)
            .ConfigureAwait(false);
        AesCryptLayout layout = session.Header.LayoutOf(owned.Length);
        using AesCryptAuthenticator authenticator = new(session, owned.Length);
        Memory<byte> body = owned.OwnedMemory.Slice(session.Header.BodyOffset, (int)layout.BodyBytes);
        await session.DecryptBodyAsync(body, authenticator, cancellationToken).ConfigureAwait(false);
        DecryptedVolume plain = Describe(owned, session, layout, authenticator);

        // The result is another user of the buffer. After a failure before, only this method had
        // it, and gives it back.
        owned.AddUsers();
        return plain;
    }

    private static DecryptedVolume Describe(
        PooledBuffer volume,
        AesCryptSession session,
        in AesCryptLayout layout,
        AesCryptAuthenticator authenticator
    )
    {
        Span<byte> stream = volume.Span;
        AesCryptHeader header = session.Header;
        Span<byte> body = stream.Slice(header.BodyOffset, (int)layout.BodyBytes);
        if (!layout.IsWhole)
        {
            return new DecryptedVolume(
                volume,
                header.BodyOffset,
                body.Length,
                Authentic: false,
                $"The volume was cut or something was added to it: an AES Crypt stream cannot be {stream.Length} bytes long"
            );
        }

        string? mismatch = authenticator.Verify(stream[^AesCryptHeader.HmacBytes..]);
        byte lastBlockBytes = header.HasLengthByteAtEnd
            ? stream[^(AesCryptHeader.HmacBytes + 1)]
            : header.LastBlockBytes;
        ReadOnlySpan<byte> lastBlock = body.IsEmpty ? body : body[^AesCryptLayout.BlockBytes..];
        bool isPadded = session.TryGetPlainLength(layout, lastBlockBytes, lastBlock, out long plainBytes);
        string? defect = mismatch ?? (isPadded ? null : "The volume's padding is impossible: its length was damaged");
        return new DecryptedVolume(volume, header.BodyOffset, (int)plainBytes, defect is null, defect);
    }
}
