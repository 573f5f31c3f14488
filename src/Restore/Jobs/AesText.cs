using Restore.Encryption;
using Restore.Memory;

namespace Restore.Jobs;

/// <summary>Decrypts an AES Crypt stream that is in memory.</summary>
internal static class AesText
{
    // As the default limit of volumes: some seconds at most.
    private const int MaxKeyIterations = 5_000_000;

    /// <returns>The plain bytes.</returns>
    /// <exception cref="PassphraseException">The passphrase is wrong.</exception>
    /// <exception cref="InvalidDataException">The stream is damaged.</exception>
    public static async Task<byte[]> DecryptAsync(byte[] stream, string passphrase, CancellationToken cancellationToken)
    {
        PooledBuffer buffer = new BufferPool().Rent(stream.Length);
        stream.CopyTo(buffer.Span);
        DecryptedVolume plain = await new AesCryptCipher(passphrase, MaxKeyIterations).DecryptAsync(buffer, cancellationToken).ConfigureAwait(false);
        try
        {
            return plain.Authentic ? plain.Span.ToArray() : throw new InvalidDataException(plain.Defect);
        }
        finally
        {
            plain.Span.Clear();
            plain.Buffer.Dispose();
        }
    }
}
