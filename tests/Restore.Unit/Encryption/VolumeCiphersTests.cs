using Restore.Encryption;
using Restore.Format;
using Restore.Memory;

namespace Restore.Tests.Encryption;

public class VolumeCiphersTests
{
    [Fact]
    public void A_volume_that_is_not_encrypted_needs_no_cipher_and_no_passphrase()
    {
        Assert.Null(new VolumeCiphers(new CipherOptions(Passphrase: null), new BufferPool()).For(EncryptionKind.None));
    }

    [Fact]
    public void Each_kind_has_one_cipher()
    {
        using var folder = new TempFolder();
        string program = Path.Combine(folder.Path, "my-gpg");
        File.WriteAllText(program, "");
        var ciphers = new VolumeCiphers(
            new CipherOptions("correct horse") { GpgProgramPath = program },
            new BufferPool()
        );

        Assert.IsType<AesCryptCipher>(ciphers.For(EncryptionKind.Aes));
        Assert.IsType<GpgCipher>(ciphers.For(EncryptionKind.Gpg));
        Assert.Same(ciphers.For(EncryptionKind.Aes), ciphers.For(EncryptionKind.Aes));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    public void An_encrypted_volume_without_a_passphrase_is_an_error_with_its_own_code(string? passphrase)
    {
        var ciphers = new VolumeCiphers(new CipherOptions(passphrase), new BufferPool());

        for (int attempt = 0; attempt < 2; attempt++)
        {
            var missing = Assert.Throws<RestoreException>(() => ciphers.For(EncryptionKind.Aes));
            Assert.Equal(RestoreErrorCode.PassphraseMissing, missing.Code);
            Assert.Equal("The backup is encrypted and no passphrase was given", missing.Message);
        }
    }

    [Fact]
    public async Task The_cap_on_key_derivation_comes_from_the_options()
    {
        byte[] stream = File.ReadAllBytes(Path.Combine(Fixtures.Folder("aes-samples"), "v3-16.aes"));
        var pool = new BufferPool();
        var ciphers = new VolumeCiphers(new CipherOptions("correct horse") { MaxKeyIterations = 1015 }, pool);

        Deciphered result = await Ciphering.Decrypt(ciphers.For(EncryptionKind.Aes)!, stream, pool);

        Assert.True(result.IsNoHeader);
        Assert.Contains(
            "asks for 1016 rounds of key derivation and at most 1015 are allowed",
            result.Failure!.Message,
            StringComparison.Ordinal
        );
    }
}
