using System.Security.Cryptography;
using BenchmarkDotNet.Attributes;
using Restore.Encryption;
using Restore.Memory;

namespace Restore.Benchmarks.Micro;

/// <summary>What does opening an encrypted volume cost, compared with its two primitives?</summary>
public class AesCryptBenchmarks
{
    private const int VolumeBytes = 16 << 20;
    private const string Passphrase = "benchmark";

    private readonly BufferPool pool = new();
    private readonly AesCryptCipher cipher = new(Passphrase, maxKeyIterations: 1);
    private readonly byte[] plain = new byte[VolumeBytes];
    private readonly byte[] scratch = new byte[VolumeBytes];
    private readonly byte[] key = new byte[32];
    private readonly LibCrypto? library = LibCrypto.TryLoad();
    private byte[] volume = [];
    private PooledBuffer? buffer;

    [GlobalSetup]
    public void Setup()
    {
        RandomNumberGenerator.Fill(plain);
        volume = new byte[AesCryptEncryptor.EncryptedLength(VolumeBytes)];
        AesCryptEncryptor.Encrypt(plain, volume, Passphrase);
    }

    /// <summary>A volume is decrypted in place, so each operation needs a new copy.</summary>
    [IterationSetup(Target = nameof(DecryptAndAuthenticate))]
    public void Copy()
    {
        buffer = pool.Rent(volume.Length);
        volume.CopyTo(buffer.Span);
    }

    [Benchmark]
    [BytesPerOperation(VolumeBytes)]
    public async Task<int> DecryptAndAuthenticate()
    {
        DecryptedVolume decrypted = await cipher.DecryptAsync(buffer!);
        using PooledBuffer owned = decrypted.Buffer;
        return decrypted.Authentic && decrypted.Length == VolumeBytes
            ? decrypted.Length
            : throw new InvalidOperationException(decrypted.Defect);
    }

    [Benchmark]
    [BytesPerOperation(VolumeBytes)]
    public int AuthenticateOnly() => HMACSHA256.HashData(key, plain)[0];

    [Benchmark]
    [BytesPerOperation(VolumeBytes)]
    public int DecryptOnly()
    {
        using Aes aes = Aes.Create();
        aes.SetKey(key);
        return aes.DecryptCbc(plain, key.AsSpan(0, 16), scratch, PaddingMode.None);
    }

    [Benchmark]
    [BytesPerOperation(VolumeBytes)]
    public int Encrypt() => AesCryptEncryptor.Encrypt(plain, volume, Passphrase);

    /// <summary>The cost of a volume before its first byte is known.</summary>
    [Benchmark]
    public void DeriveKey() => AesCryptKey.DeriveBySha256(Passphrase, volume.AsSpan(0, 16), key, library);

    [Benchmark]
    public void DeriveKeyByDotNet() => AesCryptKey.DeriveBySha256(Passphrase, volume.AsSpan(0, 16), key, library: null);
}
