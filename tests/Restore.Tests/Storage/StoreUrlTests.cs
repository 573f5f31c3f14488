using Restore.Storage;

namespace Restore.Tests.Storage;

public sealed class StoreUrlTests
{
    private static readonly Dictionary<string, string> NoOptions = [];

    [Fact]
    public void Every_part_of_a_URL_is_read_and_unescaped()
    {
        StoreUrl url = StoreUrl.Parse("SSH://us%40er:pa%2Fss%3A@[::1]:2222/a%20b/c/?ssh-keyfile=%2Fhome%2Fme&use-ssl", NoOptions);

        Assert.Equal("ssh", url.Scheme);
        Assert.Equal("us@er", url.Username);
        Assert.Equal("pa/ss:", url.Password);
        Assert.Equal("[::1]", url.Host);
        Assert.Equal(2222, url.Port);
        Assert.Equal("a b/c", url.Path);
        Assert.Equal("/home/me", url.Options.Text("ssh-keyfile"));
        Assert.True(url.Options.Flag("use-ssl"));
        Assert.Equal("ssh://[::1]:2222/a b/c", url.DisplayName);
    }

    [Fact]
    public void A_remote_keeps_its_case_and_its_blanks()
    {
        StoreUrl url = StoreUrl.Parse("rclone://My Drive/Back/Up", NoOptions);

        Assert.Equal("My Drive", url.Host);
        Assert.Equal("Back/Up", url.Path);
    }

    [Fact]
    public void The_URL_goes_before_the_options_beside_it()
    {
        var options = new Dictionary<string, string> { ["auth-username"] = "beside", ["auth-password"] = "beside", ["read-write-timeout"] = "1s" };

        StoreUrl url = StoreUrl.Parse("webdav://inside@host/f?read-write-timeout=2s", options);

        Assert.Equal("inside", url.Username);
        Assert.Equal("beside", url.Password);
        Assert.Equal(TimeSpan.FromSeconds(2), TransferSettings.From(url.Options).ProgressTimeout);
    }

    [Theory]
    [InlineData("s3:///folder", "The s3:// URL names no server. Write it as s3://name/folder")]
    [InlineData("ssh://user:secret@host:99999/f", "The ssh:// URL has a port that is no number from 1 to 65535")]
    [InlineData("ssh://user:sec/ret@host/f", "The ssh:// URL has a port that is no number from 1 to 65535")]
    public void A_URL_that_cannot_be_read_is_a_usage_error_without_the_password(string location, string message)
    {
        RestoreException failure = Assert.Throws<RestoreException>(() => StoreUrl.Parse(location, NoOptions));

        Assert.Equal(RestoreErrorKind.Usage, failure.Kind);
        Assert.StartsWith(message, failure.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("sec", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_scheme_that_no_store_has_says_what_to_do()
    {
        RestoreException failure = Assert.Throws<RestoreException>(() => StoreFactory.Open("b2://bucket/x", NoOptions, TimeProvider.System));

        Assert.Equal(
            "There is no store for b2:// URLs. Make an rclone remote for it with 'rclone config', and give rclone://remote/folder; "
            + "own are file, s3, webdav, webdavs, ssh, ftp, aftp and rclone", failure.Message);
    }

    [Fact]
    public void Half_a_pair_of_S3_keys_is_a_usage_error()
    {
        RestoreException failure = Assert.Throws<RestoreException>(() => StoreFactory.Open("s3://key-only@bucket/x", NoOptions, TimeProvider.System));

        Assert.Equal(RestoreErrorKind.Usage, failure.Kind);
        Assert.DoesNotContain("key-only", failure.Message, StringComparison.Ordinal);
    }
}
