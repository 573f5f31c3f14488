using Restore.Sftp;
using Restore.Storage;
using Restore.Storage.WebDav;

namespace Restore.Tests.Storage;

public sealed class StoreUrlTests
{
    private static readonly Dictionary<string, string> NoOptions = [];

    [Fact]
    public void Every_part_of_a_URL_is_read_and_unescaped()
    {
        StoreUrl url = StoreUrlParser.Parse(
            "SSH://us%40er:pa%2Fss%3A@[::1]:2222/a%20b/c/?ssh-keyfile=%2Fhome%2Fme&use-ssl",
            NoOptions
        );

        Assert.Equal("ssh", url.Scheme);
        Assert.Equal("us@er", url.Username);
        Assert.Equal("pa/ss:", url.Password);
        Assert.Equal("[::1]", url.Host);
        Assert.Equal(2222, url.Port);
        Assert.Equal("a b/c", url.Path);
        Assert.Equal("/home/me", url.Options.Text(SftpOptions.KeyFile));
        Assert.True(url.Options.Flag(WebDavOptions.UseTls));
        Assert.Equal("ssh://[::1]:2222/a b/c", url.DisplayName);
    }

    [Fact]
    public void A_remote_keeps_its_case_and_its_blanks()
    {
        StoreUrl url = StoreUrlParser.Parse("rclone://My Drive/Back/Up", NoOptions);

        Assert.Equal("My Drive", url.Host);
        Assert.Equal("Back/Up", url.Path);
    }

    [Fact]
    public void The_URL_goes_before_the_options_beside_it()
    {
        var options = new Dictionary<string, string>
        {
            ["auth-username"] = "beside",
            ["auth-password"] = "beside",
            ["read-write-timeout"] = "1s",
        };

        StoreUrl url = StoreUrlParser.Parse("webdav://inside@host/f?read-write-timeout=2s", options);

        Assert.Equal("inside", url.Username);
        Assert.Equal("beside", url.Password);
        Assert.Equal(TimeSpan.FromSeconds(2), TransferSettings.From(url.Options).ProgressTimeout);
    }

    [Theory]
    [InlineData("s3:///folder", "The s3:// URL names no bucket, as in s3://bucket/folder")]
    [InlineData("ssh://user:secret@host:99999/f", "The ssh:// URL has a port that is not a number from 1 to 65535")]
    [InlineData("ssh://user:sec/ret@host/f", "The ssh:// URL has a port that is not a number from 1 to 65535")]
    public void A_URL_that_cannot_be_read_is_a_usage_error_without_the_password(string location, string message)
    {
        RestoreException failure = Assert.Throws<RestoreException>(() => StoreUrlParser.Parse(location, NoOptions));

        Assert.Equal(RestoreErrorKind.Usage, failure.Kind);
        Assert.StartsWith(message, failure.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("sec", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_scheme_that_no_store_has_is_answered_with_those_there_are()
    {
        RestoreException failure = Assert.Throws<RestoreException>(() => TestStores.Open("box://bucket/x", NoOptions));

        Assert.Equal(
            "There is no store for box:// URLs; the schemes are file, webdav, webdavs, ftp, aftp, rclone, ssh, sftp, s3, b2, gcs, azure",
            failure.Message
        );
    }

    [Fact]
    public void A_scheme_of_a_package_that_is_not_there_names_the_package()
    {
        RestoreException failure = Assert.Throws<RestoreException>(() =>
            StoreFactory.Open("s3://bucket/x", StoreRegistry.Default, NoOptions, TimeProvider.System)
        );

        Assert.Equal(RestoreErrorKind.Usage, failure.Kind);
        Assert.EndsWith("; s3 comes with the package Restore.S3", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("webdav://host/f?use-sll=true", "use-sll")]
    [InlineData("webdav://host/f", "retries")]
    public void An_option_that_no_store_has_is_a_usage_error_that_lists_those_there_are(string location, string name)
    {
        var beside = name == "retries" ? new Dictionary<string, string> { ["retries"] = "s3cret" } : NoOptions;

        RestoreException failure = Assert.Throws<RestoreException>(() => TestStores.Open(location, beside));

        Assert.Equal(RestoreErrorKind.Usage, failure.Kind);
        Assert.Equal(
            $"No store has an option {name}; the options of webdav:// locations are use-ssl, force-digest-authentication, accept-specified-ssl-hash, "
                + "accept-any-ssl-certificate, auth-username, auth-password, number-of-retries, retry-delay, retry-with-exponential-backoff, "
                + "read-write-timeout, throttle-download, throttle-upload, bwlimit, immutable",
            failure.Message
        );
    }

    [Theory]
    [InlineData("webdav://host/f?ssh-fingerprint=x&AFTP-encryption-mode=None")]
    [InlineData("s3://bucket/f?s3-client=minio&s3-storage-class=&s3-ext-usehttp=true&use-sse=")]
    [InlineData(
        "aftp://host/f?aftp-data-connection-type=AutoPassive&ftp-log-to-console=true&list-operation-timeout=1m"
    )]
    public async Task An_option_of_another_store_or_for_making_backups_does_no_harm(string location)
    {
        await using IVolumeStore store = TestStores.Open(location);

        Assert.False(store.IsLocal);
    }

    [Fact]
    public void Half_a_pair_of_S3_keys_is_a_usage_error()
    {
        RestoreException failure = Assert.Throws<RestoreException>(() =>
            TestStores.Open("s3://key-only@bucket/x", NoOptions)
        );

        Assert.Equal(RestoreErrorKind.Usage, failure.Kind);
        Assert.DoesNotContain("key-only", failure.Message, StringComparison.Ordinal);
    }
}
