using Restore.Encryption;
using Restore.Memory;

namespace Restore.Tests.Encryption;

/// <summary>
/// What came of decrypting a volume: an exception of the contract, or a copy of the text.
/// </summary>
internal sealed record Deciphered(Exception? Failure, byte[] Text, bool Authentic, string? Defect)
{
    public bool IsNoHeader => Failure is InvalidDataException;

    public bool IsWrongPassphrase => Failure is PassphraseException;

    public bool IsDamaged => Failure is null && !Authentic;
}

/// <summary>Runs ciphers on bytes and checks each time that every buffer came back.</summary>
internal static class Ciphering
{
    public const int MaxKeyIterations = 5_000_000;

    public static Task<Deciphered> DecryptAes(
        byte[] volume,
        string passphrase,
        int maxKeyIterations = MaxKeyIterations
    ) => Decrypt(new AesCryptCipher(passphrase, maxKeyIterations), volume, new BufferPool());

    /// <summary>
    /// Decrypts; an exception outside the contract of <see cref="IVolumeCipher"/> goes through to
    /// the test.
    /// </summary>
    public static async Task<Deciphered> Decrypt(IVolumeCipher cipher, byte[] volume, BufferPool pool)
    {
        PooledBuffer buffer = pool.Rent(volume.Length);
        volume.CopyTo(buffer.Span);
        try
        {
            DecryptedVolume plain = await cipher.DecryptAsync(buffer, TestContext.Current.CancellationToken);
            byte[] text = plain.Span.ToArray();
            plain.Buffer.Dispose();
            Assert.Equal(plain.Authentic, plain.Defect is null);
            return new Deciphered(null, text, plain.Authentic, plain.Defect);
        }
        catch (Exception e) when (e is InvalidDataException or PassphraseException)
        {
            return new Deciphered(e, [], Authentic: false, Defect: null);
        }
        finally
        {
            Assert.Equal(0, pool.OutstandingBuffers);
        }
    }
}
