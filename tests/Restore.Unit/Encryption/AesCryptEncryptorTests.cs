using System.Security.Cryptography;
using FsCheck;
using FsCheck.Fluent;
using Restore.Encryption;

namespace Restore.Tests.Encryption;

public class AesCryptEncryptorTests
{
    private static byte[] Encrypted(byte[] text, string passphrase, RandomNumberGenerator? random = null)
    {
        var stream = new byte[AesCryptEncryptor.EncryptedLength(text.Length)];
        Assert.Equal(stream.Length, AesCryptEncryptor.Encrypt(text, stream, passphrase, random));
        return stream;
    }

    [Fact]
    public void What_is_encrypted_decrypts_to_the_same_text()
    {
        Prop.ForAll(
                ArbMap.Default.ArbFor<byte[]>(),
                ArbMap.Default.ArbFor<NonEmptyString>(),
                (text, passphrase) =>
                    Task.Run(async () =>
                    {
                        byte[] stream = Encrypted(text, passphrase.Get);
                        Deciphered result = await Ciphering.DecryptAes(stream, passphrase.Get);
                        Assert.True(result.Authentic);
                        Assert.Equal(text, result.Text);
                    })
            )
            .QuickCheckThrowOnFailure();
    }

    [Theory]
    [InlineData(0, 136)]
    [InlineData(1, 152)]
    [InlineData(15, 152)]
    [InlineData(16, 152)]
    [InlineData(17, 168)]
    [InlineData(262_143, 262_280)]
    [InlineData(262_144, 262_280)]
    [InlineData(262_145, 262_296)]
    [InlineData(1_000_000, 1_000_136)]
    public async Task A_text_of_any_length_survives(int length, int encryptedLength)
    {
        byte[] text = RandomNumberGenerator.GetBytes(length);

        byte[] stream = Encrypted(text, "correct horse");
        Deciphered result = await Ciphering.DecryptAes(stream, "correct horse");

        Assert.Equal(encryptedLength, stream.Length);
        Assert.True(result.Authentic, result.Defect);
        Assert.Equal(text, result.Text);
    }

    [Fact]
    public void A_text_already_in_its_place_is_encrypted_there()
    {
        byte[] text = RandomNumberGenerator.GetBytes(70_001);
        byte[] apart = Encrypted(text, "correct horse", new CountingGenerator());
        var stream = new byte[apart.Length];
        text.CopyTo(stream, AesCryptEncryptor.BodyOffset);

        AesCryptEncryptor.Encrypt(
            stream.AsSpan(AesCryptEncryptor.BodyOffset, text.Length),
            stream,
            "correct horse",
            new CountingGenerator()
        );

        Assert.Equal(apart, stream);
    }

    [Fact]
    public void A_text_at_another_place_of_its_destination_is_a_mistake_of_the_caller()
    {
        var stream = new byte[1000];

        Assert.Throws<ArgumentException>(() =>
            AesCryptEncryptor.Encrypt(stream.AsSpan(0, 100), stream, "correct horse")
        );
    }

    [Fact]
    public void The_stream_is_laid_out_as_version_2_with_counted_padding()
    {
        byte[] stream = Encrypted([1, 2, 3], "a", new CountingGenerator());

        // Generated with fixed randomness: session IV 00.., session key 10.., public IV 30..;
        // checked against the formulas, step by step.
        Assert.Equal("41455302000000", Convert.ToHexStringLower(stream[..7]));
        Assert.Equal([.. Enumerable.Range(0x30, 16).Select(i => (byte)i)], stream[7..23]);
        Assert.Equal(3, stream[^33]);
        byte[] sessionIv = [.. Enumerable.Range(0, 16).Select(i => (byte)i)];
        byte[] sessionKey = [.. Enumerable.Range(0x10, 32).Select(i => (byte)i)];
        using var aes = Aes.Create();
        aes.Key = sessionKey;
        byte[] padded = aes.DecryptCbc(stream.AsSpan(103, 16), sessionIv, PaddingMode.None);
        Assert.Equal([1, 2, 3, .. Enumerable.Repeat((byte)13, 13)], padded);
        Assert.Equal(HMACSHA256.HashData(sessionKey, stream.AsSpan(103, 16)), stream[^32..]);
    }

    [Fact]
    public void A_text_of_several_chunks_is_one_chain_of_blocks()
    {
        byte[] text = RandomNumberGenerator.GetBytes(600_000);
        byte[] stream = Encrypted(text, "a", new CountingGenerator());
        byte[] body = stream[AesCryptEncryptor.BodyOffset..^33];
        byte[] sessionKey = [.. Enumerable.Range(0x10, 32).Select(i => (byte)i)];
        byte[] sessionIv = [.. Enumerable.Range(0, 16).Select(i => (byte)i)];
        using var aes = Aes.Create();
        aes.Key = sessionKey;

        Assert.Equal(text, aes.DecryptCbc(body, sessionIv, PaddingMode.None));
        Assert.Equal(HMACSHA256.HashData(sessionKey, body), stream[^32..]);
    }

    [Fact]
    public void Two_encryptions_of_one_text_have_nothing_in_common()
    {
        byte[] text = new byte[64];

        byte[] first = Encrypted(text, "correct horse");
        byte[] second = Encrypted(text, "correct horse");

        Assert.NotEqual(first[7..23], second[7..23]);
        Assert.NotEqual(first[103..167], second[103..167]);
    }

    /// <summary>Gives 0, 1, 2, ... in place of random bytes.</summary>
    private sealed class CountingGenerator : RandomNumberGenerator
    {
        private byte next;

        public override void GetBytes(byte[] data) => GetBytes(data.AsSpan());

        public override void GetBytes(Span<byte> data)
        {
            foreach (ref byte value in data)
            {
                value = next++;
            }
        }
    }
}
