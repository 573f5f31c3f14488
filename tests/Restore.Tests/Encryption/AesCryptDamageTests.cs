using Restore.Encryption;

namespace Restore.Tests.Encryption;

/// <summary>
/// Every byte of a small volume damaged, and every length it can be cut to, for each stream
/// version.
/// </summary>
public class AesCryptDamageTests
{
    private const string Passphrase = "päss-🔑";
    private const int HmacBytes = AesCryptHeader.HmacBytes;

    private static byte[] Sample(int version) =>
        File.ReadAllBytes(Path.Combine(Fixtures.Folder("aes-samples"), $"v{version}-17.aes"));

    private static async Task<Deciphered> Flipped(byte[] sound, int position, byte mask)
    {
        byte[] damaged = [.. sound];
        damaged[position] ^= mask;
        return await Ciphering.DecryptAes(damaged, Passphrase, maxKeyIterations: 2000);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task A_damaged_magic_or_version_is_not_a_header(int version)
    {
        for (int position = 0; position < 4; position++)
        {
            Assert.True((await Flipped(Sample(version), position, 0xff)).IsNoHeader, $"byte {position}");
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task A_damaged_key_is_reported_like_a_wrong_passphrase(int version)
    {
        byte[] sound = Sample(version);
        var header = AesCryptHeader.Parse(sound, 2000);
        for (int position = header.IvOffset; position < header.BodyOffset; position++)
        {
            Assert.True((await Flipped(sound, position, 0x10)).IsWrongPassphrase, $"byte {position}");
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task A_damaged_body_or_HMAC_is_not_authentic_and_keeps_its_other_blocks(int version)
    {
        byte[] sound = Sample(version);
        byte[] text = (await Ciphering.DecryptAes(sound, Passphrase)).Text;
        var header = AesCryptHeader.Parse(sound, 2000);
        int bodyEnd = header.BodyOffset + (int)header.LayoutOf(sound.Length).BodyBytes;
        for (int position = header.BodyOffset; position < sound.Length; position++)
        {
            if (header.HasLengthByteAtEnd && position == bodyEnd)
            {
                continue;
            }

            Deciphered result = await Flipped(sound, position, 0xff);
            Assert.True(result.IsDamaged, $"byte {position}");
            Assert.StartsWith(
                "The volume does not match its authentication code",
                result.Defect,
                StringComparison.Ordinal
            );
            if (position >= bodyEnd)
            {
                Assert.Equal(text, result.Text);
            }
            else if (position >= header.BodyOffset + 16)
            {
                Assert.Equal(text[..16], result.Text[..16]);
            }
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public async Task A_length_byte_that_makes_no_sense_is_reported_and_the_whole_body_kept(int version)
    {
        byte[] sound = Sample(version);
        int position = version == 0 ? 4 : sound.Length - HmacBytes - 1;

        Deciphered result = await Flipped(sound, position, 0xf0);

        Assert.True(result.IsDamaged);
        Assert.Equal("The volume's padding is impossible: its length was damaged", result.Defect);
        Assert.Equal(32, result.Text.Length);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public async Task No_check_of_the_format_covers_a_length_byte_with_another_valid_value(int version)
    {
        byte[] sound = Sample(version);
        int position = version == 0 ? 4 : sound.Length - HmacBytes - 1;

        Deciphered result = await Flipped(sound, position, 0x02);

        Assert.True(result.Authentic);
        Assert.Equal(19, result.Text.Length);
    }

    [Theory]
    [InlineData(0x01)]
    [InlineData(0x80)]
    public async Task No_damaged_byte_leads_to_another_exception_than_the_contract_names(byte mask)
    {
        for (int version = 0; version <= 3; version++)
        {
            byte[] sound = Sample(version);
            byte[] text = (await Ciphering.DecryptAes(sound, Passphrase)).Text;
            for (int position = 0; position < sound.Length; position++)
            {
                // Ciphering.DecryptAes lets every other exception through.
                Deciphered result = await Flipped(sound, position, mask);
                Assert.True(
                    !result.Authentic || text.AsSpan().StartsWith(result.Text) || result.Text.AsSpan().StartsWith(text),
                    $"v{version} byte {position}"
                );
            }
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task A_volume_cut_at_any_length_keeps_the_whole_blocks_before_the_cut(int version)
    {
        byte[] sound = Sample(version);
        var header = AesCryptHeader.Parse(sound, 2000);
        byte[] text = (await Ciphering.DecryptAes(sound, Passphrase)).Text;
        for (int length = 0; length < sound.Length; length++)
        {
            Deciphered result = await Ciphering.DecryptAes(sound[..length], Passphrase);
            if (length < header.BodyOffset)
            {
                Assert.True(result.IsNoHeader, $"length {length}");
                continue;
            }

            Assert.True(result.IsDamaged, $"length {length}");
            int common = Math.Min(text.Length, result.Text.Length);
            Assert.Equal(text[..common], result.Text[..common]);
            Assert.True(
                header.LayoutOf(length).IsWhole || result.Text.Length == (length - header.BodyOffset) / 16 * 16,
                $"length {length}"
            );
        }
    }

    [Theory]
    [InlineData(
        "damaged/dblock-flipped-byte-aes",
        "duplicati-b4676d68b32f04c94957707220f2ff49e.dblock.zip.aes",
        "does not match its authentication code"
    )]
    [InlineData(
        "damaged/dblock-truncated-aes",
        "duplicati-b4676d68b32f04c94957707220f2ff49e.dblock.zip.aes",
        "cannot be 14782 bytes long"
    )]
    [InlineData(
        "damaged/newest-dlist-corrupt-aes",
        "duplicati-20261121T133100Z.dlist.zip.aes",
        "does not match its authentication code"
    )]
    public async Task A_damaged_volume_of_a_backup_still_has_its_sound_blocks(
        string fixture,
        string name,
        string defect
    )
    {
        byte[] damaged = File.ReadAllBytes(Path.Combine(Fixtures.Backup(fixture), name));
        byte[] sound = File.ReadAllBytes(Path.Combine(Fixtures.Backup("damaged/base-aes"), name));
        byte[] text = (await Ciphering.DecryptAes(sound, "correct horse")).Text;

        Deciphered result = await Ciphering.DecryptAes(damaged, "correct horse");

        Assert.True(result.IsDamaged);
        Assert.Contains(defect, result.Defect, StringComparison.Ordinal);

        // A flipped byte of ciphertext spoils its own block of 16 bytes and one bit pattern of the
        // next.
        int common = Math.Min(text.Length, result.Text.Length);
        int wrong = Enumerable.Range(0, common).Count(i => text[i] != result.Text[i]);
        Assert.InRange(wrong, 0, 32);
    }

    [Theory]
    [InlineData(
        "damaged/dblock-empty-aes",
        "duplicati-b4676d68b32f04c94957707220f2ff49e.dblock.zip.aes",
        "The volume is empty"
    )]
    [InlineData(
        "damaged/dindex-garbage-aes",
        "duplicati-i479a049cc31049d188c36a3cd03de0fc.dindex.zip.aes",
        "The volume is not an AES Crypt stream"
    )]
    public async Task A_volume_without_a_header_is_refused(string fixture, string name, string messageStart)
    {
        Deciphered result = await Ciphering.DecryptAes(
            File.ReadAllBytes(Path.Combine(Fixtures.Backup(fixture), name)),
            "correct horse"
        );

        Assert.True(result.IsNoHeader);
        Assert.StartsWith(messageStart, result.Failure!.Message, StringComparison.Ordinal);
    }
}
