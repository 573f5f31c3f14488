using System.Text.Json;
using Restore.Encryption;

namespace Restore.Tests.Encryption;

public class AesCryptHostileHeaderTests
{
    private static async Task<Deciphered> DecryptVersion(int index, int maxKeyIterations = Ciphering.MaxKeyIterations)
    {
        JsonElement info = Fixtures.Info("hostile/aes-header");
        string name = info.GetProperty("versions")[index].GetProperty("dlist").GetString()!;
        byte[] stream = File.ReadAllBytes(Path.Combine(Fixtures.Backup("hostile/aes-header"), name));
        return await Ciphering.DecryptAes(stream, info.GetProperty("passphrase").GetString()!, maxKeyIterations);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(8)]
    [InlineData(15)]
    [InlineData(21)]
    [InlineData(22)]
    [InlineData(23)]
    [InlineData(24)]
    [InlineData(25)]
    public async Task An_odd_but_sound_stream_is_read(int version)
    {
        Deciphered result = await DecryptVersion(version);

        Assert.Null(result.Failure);
        Assert.True(result.Authentic, result.Defect);
        Assert.True(result.Text.AsSpan().StartsWith("PK\x3\x4"u8));
    }

    [Theory]
    [InlineData(1, "The volume's header asks for 2147483648 rounds of key derivation and at most 5000000 are allowed")]
    [InlineData(2, "The volume's header asks for 4294967295 rounds of key derivation and at most 5000000 are allowed")]
    [InlineData(3, "The volume's header asks for 0 rounds of key derivation, which no writer does")]
    [InlineData(4, "The volume's header asks for 100000000 rounds of key derivation and at most 5000000 are allowed")]
    [InlineData(5, "The volume is an AES Crypt stream of version 4; versions 0 to 3 can be read")]
    [InlineData(6, "The volume is an AES Crypt stream of version 255; versions 0 to 3 can be read")]
    [InlineData(7, "The volume ends after 300 bytes, inside its AES Crypt header")]
    [InlineData(9, "The volume ends after 30005 bytes, inside its AES Crypt header")]
    [InlineData(10, "The volume is not an AES Crypt stream: it does not start with AES and a version")]
    [InlineData(11, "The volume is empty")]
    [InlineData(12, "The volume ends after 60 bytes, inside its AES Crypt header")]
    [InlineData(14, "The volume is not an AES Crypt stream: it does not start with AES and a version")]
    public async Task A_header_that_is_none_is_refused_with_its_reason(int version, string message)
    {
        Deciphered result = await DecryptVersion(version);

        Assert.True(result.IsNoHeader, result.Failure?.ToString());
        Assert.Equal(message, result.Failure!.Message);
    }

    [Theory]
    [InlineData(13, "The volume was cut or something was added to it: an AES Crypt stream cannot be 103 bytes long")]
    [InlineData(16, "The volume's padding is impossible: its length was damaged")]
    [InlineData(17, "The volume was cut or something was added to it: an AES Crypt stream cannot be 849 bytes long")]
    [InlineData(18, "The volume was cut or something was added to it: an AES Crypt stream cannot be 864 bytes long")]
    public async Task A_body_that_cannot_be_authenticated_is_reported(int version, string defect)
    {
        Deciphered result = await DecryptVersion(version);

        Assert.True(result.IsDamaged, result.Failure?.ToString());
        Assert.Equal(defect, result.Defect);
    }

    [Theory]
    [InlineData(19)]
    [InlineData(20)]
    public async Task A_header_whose_own_check_fails_says_that_the_passphrase_is_wrong(int version)
    {
        Deciphered result = await DecryptVersion(version);

        Assert.True(result.IsWrongPassphrase, result.Failure?.ToString());
    }

    [Theory]
    [InlineData(1000, true)]
    [InlineData(999, false)]
    public async Task The_cap_on_rounds_is_the_last_number_allowed(int maxKeyIterations, bool isRead)
    {
        Deciphered result = await DecryptVersion(21, maxKeyIterations);

        Assert.Equal(isRead, result.Authentic);
        Assert.Equal(!isRead, result.IsNoHeader);
    }

    [Fact]
    public async Task Headers_that_the_passphrase_does_not_open_cost_a_limited_number_of_rounds_together()
    {
        KeyBudget budget = new(10_000);
        int derived = 0;
        for (int i = 0; i < 20; i++)
        {
            Exception? failure = await Record.ExceptionAsync(async () =>
                await budget.OpenAsync(9_000, isFileList: true, Wrong, CancellationToken.None)
            );
            Assert.Equal(i < 2, failure is PassphraseException);
        }

        Assert.Equal(2, derived);
        await Assert.ThrowsAsync<PassphraseException>(async () =>
            await budget.OpenAsync(AesCryptHeader.FixedKeyIterations, isFileList: false, Wrong, CancellationToken.None)
        );

        ValueTask<AesCryptSession> Wrong()
        {
            derived++;
            throw new PassphraseException("wrong");
        }
    }
}
