using System.Security.Cryptography;
using System.Text.Json;
using Restore.Encryption;

namespace Restore.Tests.Encryption;

public class AesCryptSampleTests
{
    public static IEnumerable<TheoryDataRow<string>> SampleFiles() =>
        Fixtures.Info("aes-samples").GetProperty("samples").EnumerateArray().Select(s => new TheoryDataRow<string>(s.GetProperty("file").GetString()!));

    [Theory]
    [MemberData(nameof(SampleFiles))]
    public async Task Each_version_and_length_decrypts_to_its_recorded_text(string file)
    {
        JsonElement sample = Fixtures.Info("aes-samples").GetProperty("samples").EnumerateArray().Single(s => s.GetProperty("file").GetString() == file);
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
            Assert.Equal("The passphrase does not open the volume, or its header is damaged.", result.Failure!.Message);
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

    [Fact]
    public void The_key_of_versions_0_to_2_is_the_published_one()
    {
        byte[] iv = [.. Enumerable.Range(0, 16).Select(i => (byte)i)];
        var key = new byte[32];

        AesCryptKey.DeriveBySha256("a", iv, key);

        Assert.Equal("6214af002047c2a283fcb653ed94cd260a4e4f5e2f7a3de795adeeb33406319a", Convert.ToHexStringLower(key));
    }

    [Fact]
    public async Task A_cancelled_decryption_gives_its_buffer_back()
    {
        byte[] stream = File.ReadAllBytes(Path.Combine(Fixtures.Folder("aes-samples"), "v2-4096.aes"));
        var pool = new Restore.Memory.BufferPool();
        Restore.Memory.PooledBuffer buffer = pool.Rent(stream.Length);
        stream.CopyTo(buffer.Span);

        await Assert.ThrowsAsync<OperationCanceledException>(async () =>
            await new AesCryptCipher("correct horse", 1).DecryptAsync(buffer, new CancellationToken(canceled: true)));

        Assert.Equal(0, pool.OutstandingBuffers);
    }
}
