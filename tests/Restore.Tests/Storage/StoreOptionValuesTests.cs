using Restore.Storage;

namespace Restore.Tests.Storage;

public sealed class StoreOptionValuesTests
{
    private static readonly StoreOption X = new("x", "") { Aliases = ["y", "z"] };

    [Theory]
    [InlineData("10s", 10_000)]
    [InlineData("250ms", 250)]
    [InlineData("1m30s", 90_000)]
    [InlineData("2h", 7_200_000)]
    [InlineData("7", 7_000)]
    [InlineData("0:00:10", 10_000)]
    [InlineData("1D", 86_400_000)]
    public void Times_are_read_as_Duplicati_writes_them(string text, long milliseconds) =>
        Assert.Equal(TimeSpan.FromMilliseconds(milliseconds), With(text).Duration(X));

    [Theory]
    [InlineData("soon")]
    [InlineData("10x")]
    [InlineData("-5s")]
    [InlineData("8D")]
    [InlineData("99999999999s")]
    [InlineData("2000000000W")]
    [InlineData("s")]
    public void An_invalid_time_is_a_usage_error(string text)
    {
        RestoreException failure = Assert.Throws<RestoreException>(() => With(text).Duration(X));

        Assert.Equal(RestoreErrorKind.Usage, failure.Kind);
        Assert.Equal($"The option x is a time such as 10s, 1m30s or 0:00:10, not '{text}'", failure.Message);
    }

    [Theory]
    [InlineData("500kb", 512_000)]
    [InlineData("1.5 MB", 1_572_864)]
    [InlineData("2GB", 2_147_483_648)]
    [InlineData("100b", 100)]
    [InlineData("3", 3072)]
    public void Sizes_are_read_as_Duplicati_writes_them(string text, long bytes) =>
        Assert.Equal(bytes, With(text).Bytes(X, 1024));

    [Theory]
    [InlineData("fast")]
    [InlineData("-1kb")]
    [InlineData("1xb")]
    [InlineData("99999999999999gb")]
    public void An_invalid_size_is_a_usage_error(string text) =>
        Assert.Throws<RestoreException>(() => With(text).Bytes(X, 1024));

    [Theory]
    [InlineData("", true)]
    [InlineData("True", true)]
    [InlineData("no", false)]
    public void A_switch_without_a_value_is_on(string text, bool expected) =>
        Assert.Equal(expected, With(text).Flag(X));

    [Fact]
    public void A_count_has_a_limit()
    {
        Assert.Equal(0, With("0").Count(X, 1000));
        Assert.Equal(
            "The option x is a number from 0 to 1000, not '1001'",
            Assert.Throws<RestoreException>(() => With("1001").Count(X, 1000)).Message
        );
    }

    [Fact]
    public void Defaults_are_those_of_Duplicati()
    {
        TransferSettings settings = TransferSettings.From(new StoreOptionValues([]));

        Assert.Equal(
            new TransferSettings
            {
                Retries = 5,
                RetryDelay = TimeSpan.FromSeconds(10),
                ProgressTimeout = TimeSpan.FromSeconds(30),
            },
            settings
        );
    }

    [Fact]
    public void Of_the_names_of_an_option_the_first_that_is_given_counts()
    {
        Assert.Equal("2", new StoreOptionValues([new("z", "3"), new("Y", "2")]).Text(X));
        Assert.Equal("1", new StoreOptionValues([new("z", "3"), new("y", "2"), new("X", "1")]).Text(X));
        Assert.Null(new StoreOptionValues([new("w", "1")]).Text(X));
    }

    [Fact]
    public void An_option_that_is_not_given_has_the_default_of_its_declaration()
    {
        var none = new StoreOptionValues([]);

        Assert.Equal(7, none.Count(X with { Default = "7" }, 10));
        Assert.Equal(TimeSpan.FromMinutes(10), none.Duration(X with { Default = "10m" }));
        Assert.Throws<ArgumentException>(() => none.Count(X, 10));
    }

    [Fact]
    public void The_value_of_a_secret_is_in_no_message()
    {
        RestoreException failure = Assert.Throws<RestoreException>(() =>
            With("s3cret").Flag(X with { IsSecret = true })
        );

        Assert.Equal("The option x is true or false", failure.Message);
    }

    private static StoreOptionValues With(string text) => new([new("x", text)]);
}
