using System.Security.Cryptography;
using System.Text.Json;
using Restore.Encryption;
using Restore.Memory;

namespace Restore.Tests.Encryption;

public class AesCryptSampleTests
{
    public static IEnumerable<TheoryDataRow<string>> SampleFiles() =>
        Fixtures
            .Info("aes-samples")
            .GetProperty("samples")
            .EnumerateArray()
            .Select(s => new TheoryDataRow<string>(s.GetProperty("file").GetString()!));

    [Theory]
    [MemberData(nameof(SampleFiles))]
    public async Task Each_version_and_length_decrypts_to_its_recorded_text(string file)
    {
        JsonElement sample = Fixtures
            .Info("aes-samples")
            .GetProperty("samples")
            .EnumerateArray()
            .Single(s => s.GetProperty("file").GetString() == file);
        byte[] stream = File.ReadAllBytes(Path.Combine(Fixtures.Folder("aes-samples"), file));

        Deciphered result = await Ciphering.DecryptAes(stream, sample.GetProperty("passphrase").GetString()!);

        Assert.Null(result.Failure);
        Assert.Null(result.Defect);
        Assert.Equal(sample.GetProperty("size").GetInt32(), result.Text.Length);
        Assert.Equal(sample.GetProperty("sha256").GetString(), Convert.ToHexStringLower(SHA256.HashData(result.Text)));
    }

    [Theory]
    [MemberData(nameof(SampleFiles))]
    public async Task Another_passphrase_is_refused_or_in_version_0_reported(string file)
    {
        byte[] stream = File.ReadAllBytes(Path.Combine(Fixtures.Folder("aes-samples"), file));

        Deciphered result = await Ciphering.DecryptAes(stream, "Correct horse");

        if (file.StartsWith("v0", StringComparison.Ordinal))
        {
            Assert.True(result.IsDamaged);
            Assert.Contains("or the passphrase is wrong", result.Defect, StringComparison.Ordinal);
        }
        else
        {
            Assert.True(result.IsWrongPassphrase);
            Assert.Equal("The passphrase does not open the volume, or its header is damaged", result.Failure!.Message);
        }
    }

    [Theory]
    [InlineData("aes-unicode-pass")]
    [InlineData("aes-v3")]
    [InlineData("damaged/base-aes")]
    public async Task Every_volume_of_a_sound_backup_opens_as_a_zip(string fixture)
    {
        string passphrase = Fixtures.Info(fixture).GetProperty("passphrase").GetString()!;
        foreach (string path in Directory.EnumerateFiles(Fixtures.Backup(fixture), "*.aes"))
        {
            Deciphered result = await Ciphering.DecryptAes(File.ReadAllBytes(path), passphrase);

            Assert.True(result.Authentic, path);
            Assert.True(result.Text.AsSpan().StartsWith("PK\x3\x4"u8), path);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void The_key_of_versions_0_to_2_is_the_published_one_with_and_without_libcrypto(bool useLibrary)
    {
        LibCrypto? library = useLibrary ? LibCrypto.TryLoad() : null;
        Assert.Equal(useLibrary && OperatingSystem.IsLinux(), library is not null);
        byte[] iv = [.. Enumerable.Range(0, 16).Select(i => (byte)i)];
        var key = new byte[32];

        AesCryptKey.DeriveBySha256("a", iv, key, library);

        Assert.Equal("6214af002047c2a283fcb653ed94cd260a4e4f5e2f7a3de795adeeb33406319a", Convert.ToHexStringLower(key));
    }

    [Fact]
    public async Task Memory_for_decrypting_does_not_grow_with_the_volume()
    {
        var cipher = new AesCryptCipher("correct horse", maxKeyIterations: 1);
        var pool = new BufferPool();
        await Allocated(cipher, pool, textBytes: 1000);

        long small = await Allocated(cipher, pool, textBytes: 1000);
        long large = await Allocated(cipher, pool, textBytes: 16 * 1024 * 1024);

        // A chunk costs some objects around the native cipher, a few hundred bytes; there are 64 of
        // them.
        Assert.InRange(large - small, 0, 64 * 1024);
    }

    private static async Task<long> Allocated(AesCryptCipher cipher, BufferPool pool, int textBytes)
    {
        PooledBuffer volume = pool.Rent(AesCryptEncryptor.EncryptedLength(textBytes));
        volume.Span.Clear();
        AesCryptEncryptor.Encrypt(
            volume.Span.Slice(AesCryptEncryptor.BodyOffset, textBytes),
            volume.Span,
            "correct horse"
        );
        long before = GC.GetAllocatedBytesForCurrentThread();
        ValueTask<DecryptedVolume> decrypting = cipher.DecryptAsync(volume, TestContext.Current.CancellationToken);
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        DecryptedVolume plain = await decrypting;
        Assert.True(plain.Authentic);
        plain.Buffer.Dispose();
        return allocated;
    }

    [Fact]
    public async Task A_cancelled_decryption_gives_its_buffer_back()
    {
        byte[] stream = File.ReadAllBytes(Path.Combine(Fixtures.Folder("aes-samples"), "v2-4096.aes"));
        var pool = new BufferPool();
        PooledBuffer buffer = pool.Rent(stream.Length);
        stream.CopyTo(buffer.Span);

        await Assert.ThrowsAsync<OperationCanceledException>(async () =>
            await new AesCryptCipher("correct horse", 1).DecryptAsync(buffer, new CancellationToken(canceled: true))
        );

        Assert.Equal(0, pool.OutstandingBuffers);
    }
}
