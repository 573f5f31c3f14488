using Restore.Encryption;

namespace Restore.Tests.Encryption;

/// <summary>
/// Status lines as GnuPG 2.2 wrote them for messages that were sound, damaged or forged.
/// </summary>
public class GpgStatusTests
{
    private const string Begin =
        "[GNUPG:] NEED_PASSPHRASE_SYM 9 3 2\n[GNUPG:] BEGIN_DECRYPTION\n[GNUPG:] DECRYPTION_INFO 2 9 0\n";
    private const string Text = "[GNUPG:] PLAINTEXT 62 1795267428 \n";
    private const string Okay = "[GNUPG:] DECRYPTION_OKAY\n[GNUPG:] GOODMDC\n";
    private const string End = "[GNUPG:] END_DECRYPTION\n";
    private const string Failed = "[GNUPG:] DECRYPTION_FAILED\n";

    [Theory]
    [InlineData("a sound message", Begin + Text + Okay + End, GpgResult.Authentic)]
    [InlineData(
        "Windows line ends",
        "[GNUPG:] NEED_PASSPHRASE_SYM 9 3 2\r\n[GNUPG:] DECRYPTION_INFO 2 9 0\r\n[GNUPG:] PLAINTEXT 62 0\r\n[GNUPG:] DECRYPTION_OKAY\r\n",
        GpgResult.Authentic
    )]
    [InlineData(
        "no key ring",
        "gpg: keyblock resource\n[GNUPG:] ERROR add_keyblock_resource 33587281\n" + Begin + Text + Okay + End,
        GpgResult.Authentic
    )]
    [InlineData(
        "another passphrase",
        Begin + "[GNUPG:] ERROR symkey_decrypt.maybe_error 11_BAD_PASSPHRASE\n" + Failed + End,
        GpgResult.WrongPassphrase
    )]
    [InlineData(
        "the same with the part of gpg in the code",
        Begin + "[GNUPG:] ERROR symkey_decrypt.maybe_error 33554443\n" + End,
        GpgResult.WrongPassphrase
    )]
    [InlineData("the same from a gpg that gives no error code", Begin + Failed + End, GpgResult.WrongPassphrase)]
    [InlineData("integrity check failed", Begin + Text + "[GNUPG:] BADMDC\n" + Failed + End, GpgResult.Damaged)]
    [InlineData(
        "inflate failed before any text",
        Begin + "gpg: Fatal: zlib inflate problem: invalid distances set\n",
        GpgResult.Damaged
    )]
    [InlineData("ended before the integrity check", Begin + Text, GpgResult.Damaged)]
    [InlineData(
        "no integrity protection",
        Begin + Text + "[GNUPG:] ERROR nomdc_with_legacy_cipher 152\n" + Failed + End,
        GpgResult.Damaged
    )]
    [InlineData("a text beside the encrypted one", Begin + Text + Okay + End + Text, GpgResult.Damaged)]
    [InlineData("a text before the encrypted one", Text + Begin + Text + Okay + End, GpgResult.Damaged)]
    [InlineData("a text that is not encrypted", Text + "[GNUPG:] PLAINTEXT_LENGTH 5000\n", GpgResult.NotOpened)]
    [InlineData("a message without text", Begin + Okay + End, GpgResult.Damaged)]
    [InlineData("garbage", "gpg: no valid OpenPGP data found.\n[GNUPG:] NODATA 1\n", GpgResult.NotOpened)]
    [InlineData(
        "for a public key",
        "[GNUPG:] NO_SECKEY 0123\n[GNUPG:] BEGIN_DECRYPTION\n" + Failed + End,
        GpgResult.NotOpened
    )]
    [InlineData("nothing", "", GpgResult.NotOpened)]
    [InlineData("words that only start alike", Begin + Text + "[GNUPG:] DECRYPTION_OKAYISH\n" + End, GpgResult.Damaged)]
    [InlineData(
        "a sentence that quotes a status line",
        Begin + Text + "gpg: [GNUPG:] DECRYPTION_OKAY\n" + End,
        GpgResult.Damaged
    )]
    public void Status_lines_are_judged(string what, string errorStream, object verdict)
    {
        Assert.Equal((what, verdict), (what, GpgStatus.ResultOf(errorStream)));
    }

    [Theory]
    [InlineData(
        "[GNUPG:] ENC_TO 0123456789ABCDEF 18 0\n[GNUPG:] DECRYPTION_KEY AB CD u\n[GNUPG:] BEGIN_DECRYPTION\n[GNUPG:] DECRYPTION_INFO 2 9 0\n"
    )]
    [InlineData("[GNUPG:] BEGIN_DECRYPTION\n[GNUPG:] DECRYPTION_INFO 2 9 0\n")]
    [InlineData("[GNUPG:] ENC_TO 0123456789ABCDEF 18 0\n" + Begin)]
    [InlineData("[GNUPG:] DECRYPTION_KEY AB CD u\n" + Begin)]
    public void A_message_that_a_key_opens_is_refused_unless_keys_are_allowed(string begin)
    {
        Assert.Equal(GpgResult.ToKey, GpgStatus.ResultOf(begin + Text + Okay + End));
        Assert.Equal(GpgResult.Authentic, GpgStatus.ResultOf(begin + Text + Okay + End, allowsKeys: true));
    }

    [Fact]
    public void What_gpg_says_is_put_on_one_line_without_control_characters()
    {
        const string ErrorStream =
            "[GNUPG:] NODATA 1\ngpg: no valid \u001b[2JOpenPGP data found.\ngpg: decrypt_message failed\n";

        Assert.Equal(
            "gpg says: no valid [2JOpenPGP data found.; decrypt_message failed",
            GpgStatus.SentencesOf(ErrorStream)
        );
        Assert.Equal("gpg gives no reason", GpgStatus.SentencesOf("[GNUPG:] NODATA 1\n"));
        Assert.Equal("gpg says: ".Length + 300, GpgStatus.SentencesOf(new string('x', 10_000)).Length);
    }
}
