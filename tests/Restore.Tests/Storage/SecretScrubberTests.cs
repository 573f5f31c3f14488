using FsCheck;
using FsCheck.Fluent;
using Restore.Storage;

namespace Restore.Tests.Storage;

public sealed class SecretScrubberTests
{
    [Theory]
    [InlineData("login as s3cr/et failed", "login as *** failed")]
    [InlineData("GET http://h/?p=s3cr%2Fet now", "GET http://h/?p=*** now")]
    [InlineData("sftp://user:any@host/x and ftp://me@h", "sftp://***@host/x and ftp://***@h")]
    [InlineData("http://host/a@b", "http://host/a@b")]
    [InlineData("two\nlines\t", "two lines")]
    [InlineData("://", "://")]
    [InlineData(null, "")]
    public void Secrets_are_taken_out(string? text, string expected) =>
        Assert.Equal(expected, new SecretScrubber(["s3cr/et", null, ""]).Clean(text));

    [Fact]
    public void A_secret_within_another_leaves_no_rest() =>
        Assert.Equal("*** ***", new SecretScrubber(["abc", "abcdef"]).Clean("abcdef abc"));

    [Fact]
    public void No_text_shows_a_secret_that_it_held()
    {
        var scrubber = new SecretScrubber(["pass-word"]);
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll<NonNull<string>, NonNull<string>>(
                (before, after) =>
                    !scrubber
                        .Clean(before.Get + "pass-word" + after.Get)
                        .Contains("pass-word", StringComparison.Ordinal)
            )
        );
    }
}
