using Restore.Storage.Sftp;

namespace Restore.Tests.Storage;

public sealed class SshHostKeyTests
{
    // Of the bytes 1, 2, 3; the hashes were made by sha256sum and md5sum.
    private const string Line = "[127.0.0.1]:2222 ssh-ed25519 AQID";

    [Theory]
    [InlineData("SHA256:A5BYxvLAy0ksUzsKTRTvd8wPeKvMztUofYShogEc+4E")]
    [InlineData("ssh-ed25519 256 SHA256:A5BYxvLAy0ksUzsKTRTvd8wPeKvMztUofYShogEc+4E=")]
    [InlineData("ssh-ed25519 256 52:89:df:73:7d:f5:73:26:fc:dd:22:59:7a:fb:1f:ac")]
    [InlineData("MD5:52:89:DF:73:7D:F5:73:26:FC:DD:22:59:7A:FB:1F:AC")]
    public void A_key_is_known_by_any_way_to_write_its_fingerprint(string fingerprint) => Assert.True(SshHostKey.Parse(Line)!.Matches(fingerprint));

    [Theory]
    [InlineData("SHA256:A5BYxvLAy0ksUzsKTRTvd8wPeKvMztUofYShogEc+4F")]
    [InlineData("SHA256:")]
    [InlineData("ssh-ed25519 256 52:89:df:73:7d:f5:73:26:fc:dd:22:59:7a:fb:1f:ad")]
    [InlineData("")]
    public void Another_fingerprint_is_not_taken(string fingerprint) => Assert.False(SshHostKey.Parse(Line)!.Matches(fingerprint));

    [Theory]
    [InlineData("# 127.0.0.1:2222 SSH-2.0-OpenSSH")]
    [InlineData("host ssh-rsa")]
    [InlineData("host ssh-rsa not-base64!")]
    [InlineData("")]
    public void Lines_without_a_key_are_skipped(string line) => Assert.Null(SshHostKey.Parse(line));
}
