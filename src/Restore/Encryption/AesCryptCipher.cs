using System.Security.Cryptography;
using Restore.Memory;

namespace Restore.Encryption;

/// <summary>Decrypts .aes volumes (AES Crypt versions 0 to 3) in place.</summary>
internal sealed class AesCryptCipher : IVolumeCipher
{
    private readonly string passphrase;
    private readonly KeyBudget budget;

    public AesCryptCipher(string passphrase, KeyBudget budget)
    {
        this.passphrase = passphrase;
        this.budget = budget;
    }

    public AesCryptCipher(string passphrase, int maxKeyIterations)
        : this(passphrase, new KeyBudget(maxKeyIterations))
    {
    }

    public ValueTask<DecryptedVolume> DecryptAsync(PooledBuffer volume, CancellationToken cancellationToken = default)
    {
        try
        {
            return ValueTask.FromResult(Decrypt(volume, cancellationToken));
        }
        catch
        {
            volume.Dispose();
            throw;
        }
    }

    private DecryptedVolume Decrypt(PooledBuffer volume, CancellationToken cancellationToken)
    {
        Span<byte> stream = volume.Span;
        using AesCryptSession session = AesCryptSession.Open(stream, passphrase, budget, cancellationToken);
        AesCryptHeader header = session.Header;
        AesCryptLayout layout = header.LayoutOf(stream.Length);
        Span<byte> body = stream.Slice(header.BodyOffset, (int)layout.BodyBytes);
        Span<byte> hmac = stackalloc byte[AesCryptHeader.HmacBytes];
        session.DecryptBody(body, hmac, cancellationToken);
        if (!layout.IsWhole)
        {
            return new DecryptedVolume(volume, header.BodyOffset, body.Length, Authentic: false,
                $"The volume was cut or something was added to it: an AES Crypt stream cannot be {stream.Length} bytes long");
        }

        bool isSound = CryptographicOperations.FixedTimeEquals(hmac, stream[^AesCryptHeader.HmacBytes..]);
        byte lastBlockBytes = header.HasLengthByteAtEnd ? stream[^(AesCryptHeader.HmacBytes + 1)] : header.LastBlockBytes;
        ReadOnlySpan<byte> lastBlock = body.IsEmpty ? body : body[^AesCryptLayout.BlockBytes..];
        bool isPadded = session.TryGetPlainLength(layout, lastBlockBytes, lastBlock, out long plainBytes);
        string? defect = !isSound ? MismatchOf(header) : !isPadded ? "The volume's padding is impossible: its length was damaged" : null;
        return new DecryptedVolume(volume, header.BodyOffset, (int)plainBytes, defect is null, defect);
    }

    private static string MismatchOf(in AesCryptHeader header) => header.HasSessionKey
        ? "The volume does not match its authentication code: it was damaged or cut after it was made"
        : "The volume does not match its authentication code: it was damaged after it was made, "
            + "or the passphrase is wrong (AES Crypt version 0 cannot tell which)";
}
