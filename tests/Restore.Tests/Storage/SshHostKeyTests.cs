using Restore.Sftp;

namespace Restore.Tests.Storage;

public sealed class SshHostKeyTests
{
    // Of the bytes 1, 2, 3; the hashes were made by sha256sum and md5sum.
    private static readonly SshHostKey Key = SshHostKey.Of([1, 2, 3]);

    private const string Type = "ssh-ed25519";
    private const string Blob = "AAAAC3NzaC1lZDI1NTE5AAAAIIIzqLk0j4Vb9pUMqGzWkPTxwhYpEWVQJpxwJ8yyLvQp";
    private const string OtherBlob = "AAAAC3NzaC1lZDI1NTE5AAAAIAAAqLk0j4Vb9pUMqGzWkPTxwhYpEWVQJpxwJ8yyLvQp";

    [Theory]
    [InlineData("SHA256:A5BYxvLAy0ksUzsKTRTvd8wPeKvMztUofYShogEc+4E")]
    [InlineData("ssh-ed25519 256 SHA256:A5BYxvLAy0ksUzsKTRTvd8wPeKvMztUofYShogEc+4E=")]
    [InlineData("ssh-ed25519 256 52:89:df:73:7d:f5:73:26:fc:dd:22:59:7a:fb:1f:ac")]
    [InlineData("MD5:52:89:DF:73:7D:F5:73:26:FC:DD:22:59:7A:FB:1F:AC")]
    public void A_key_is_known_by_any_way_to_write_its_fingerprint(string fingerprint) =>
        Assert.True(Key.Matches(fingerprint));

    [Theory]
    [InlineData("SHA256:A5BYxvLAy0ksUzsKTRTvd8wPeKvMztUofYShogEc+4F")]
    [InlineData("SHA256:")]
    [InlineData("ssh-ed25519 256 52:89:df:73:7d:f5:73:26:fc:dd:22:59:7a:fb:1f:ad")]
    [InlineData("")]
    public void Another_fingerprint_is_not_taken(string fingerprint) => Assert.False(Key.Matches(fingerprint));

    [Theory]
    [InlineData("backup.example", 22, $"backup.example {Type} {Blob} a comment")]
    [InlineData("Backup.Example", 22, $"other,backup.example {Type} {Blob}")]
    [InlineData("backup.example", 22, $"*.example {Type} {Blob}")]
    [InlineData("backup.example", 2222, $"[backup.example]:2222 {Type} {Blob}")]
    [InlineData("::1", 2222, $"[::1]:2222\t{Type}\t{Blob}")]
    // As ssh-keygen -H hides a name: salt, and the HMAC-SHA1 of the name with it.
    [InlineData("backup.example", 22, $"|1|AAECAwQFBgcICQoLDA0ODxAREhM=|3MX7khpIsEgzmMeW/ZoZfLZzdV8= {Type} {Blob}")]
    public void A_line_that_names_the_server_has_its_key(string host, int port, string line) =>
        Assert.Equal(Blob, Convert.ToBase64String(Assert.Single(KnownHosts.Parse([line], host, port).Keys).Blob));

    [Theory]
    [InlineData("backup.example", 2222, $"backup.example {Type} {Blob}")]
    [InlineData("backup.example", 22, $"[backup.example]:2222 {Type} {Blob}")]
    [InlineData("backup.example", 22, $"*.example,!backup.example {Type} {Blob}")]
    [InlineData("backup.example", 22, $"|1|AAECAwQFBgcICQoLDA0ODxAREhM=|AAAAAAAAAAAAAAAAAAAAAAAAAAA= {Type} {Blob}")]
    [InlineData("backup.example", 22, $"@cert-authority backup.example {Type} {Blob}")]
    [InlineData("backup.example", 22, $"# backup.example {Type} {Blob}")]
    [InlineData("backup.example", 22, $"backup.example ssh-rsa {Blob}")]
    [InlineData("backup.example", 22, "backup.example ssh-rsa not-base64!")]
    [InlineData("backup.example", 22, "backup.example ssh-rsa")]
    [InlineData("backup.example", 22, "@revoked")]
    [InlineData("backup.example", 22, "")]
    public void A_line_about_another_server_or_without_a_key_is_skipped(string host, int port, string line) =>
        Assert.Empty(KnownHosts.Parse([line], host, port).Keys);

    [Fact]
    public void A_key_that_was_revoked_is_not_taken()
    {
        SshHostKey key = SshHostKey.Of(Convert.FromBase64String(Blob));
        SshHostKey other = SshHostKey.Of(Convert.FromBase64String(OtherBlob));
        KnownHosts known = KnownHosts.Parse(
            [$"h {Type} {Blob}", $"@revoked * {Type} {Blob}", $"h {Type} {OtherBlob}"],
            "h",
            22
        );

        Assert.False(known.Includes(key));
        Assert.True(known.Includes(other));
        Assert.False(KnownHosts.Parse([], "h", 22).Includes(other));
    }
}
