namespace Restore.Jobs;

internal static class AesText
{
    /// <summary>
    /// Throws <see cref="PassphraseException"/> if the passphrase is wrong,
    /// <see cref="InvalidDataException"/> if the stream is damaged.
    /// </summary>
    public static async Task<byte[]> DecryptAsync(byte[] stream, string passphrase, CancellationToken cancellationToken)
    {
        PooledBuffer buffer = new BufferPool().Rent(stream.Length);
        stream.CopyTo(buffer.Span);
        DecryptedVolume plain = await new AesCryptCipher(passphrase, CipherOptions.DefaultMaxKeyIterations)
            .DecryptAsync(buffer, cancellationToken)
            .ConfigureAwait(false);
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
