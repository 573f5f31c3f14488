using Restore.Storage;

namespace Restore.Tests.Storage;

public sealed class StoreOptionsTests
{
    [Theory]
    [InlineData("10s", 10_000)]
    [InlineData("250ms", 250)]
    [InlineData("1m30s", 90_000)]
    [InlineData("2h", 7_200_000)]
    [InlineData("7", 7_000)]
    [InlineData("0:00:10", 10_000)]
    [InlineData("1D", 86_400_000)]
    public void Times_are_read_as_Duplicati_writes_them(string text, long milliseconds) =>
        Assert.Equal(TimeSpan.FromMilliseconds(milliseconds), With(text).Duration("x", TimeSpan.Zero));

    [Theory]
    [InlineData("soon")]
    [InlineData("10x")]
    [InlineData("-5s")]
    [InlineData("8D")]
    [InlineData("99999999999s")]
    [InlineData("2000000000W")]
    [InlineData("s")]
    public void What_is_no_time_is_a_usage_error(string text)
    {
        RestoreException failure = Assert.Throws<RestoreException>(() => With(text).Duration("x", TimeSpan.Zero));

        Assert.Equal(RestoreErrorKind.Usage, failure.Kind);
        Assert.Equal($"The option --x is a time such as 10s, 1m30s or 0:00:10, not '{text}'", failure.Message);
    }

    [Theory]
    [InlineData("500kb", 512_000)]
    [InlineData("1.5 MB", 1_572_864)]
    [InlineData("2GB", 2_147_483_648)]
    [InlineData("100b", 100)]
    [InlineData("3", 3072)]
    public void Sizes_are_read_as_Duplicati_writes_them(string text, long bytes) => Assert.Equal(bytes, With(text).Bytes("x", 1024));

    [Theory]
    [InlineData("fast")]
    [InlineData("-1kb")]
    [InlineData("1xb")]
    [InlineData("99999999999999gb")]
    public void What_is_no_size_is_a_usage_error(string text) => Assert.Throws<RestoreException>(() => With(text).Bytes("x", 1024));

    [Theory]
    [InlineData("", true)]
    [InlineData("True", true)]
    [InlineData("no", false)]
    public void A_switch_without_a_value_is_on(string text, bool expected) => Assert.Equal(expected, With(text).Flag("x"));

    [Fact]
    public void A_count_has_a_limit()
    {
        Assert.Equal(0, With("0").Count("x", 5, 1000));
        Assert.Equal("The option --x is a number from 0 to 1000, not '1001'", Assert.Throws<RestoreException>(() => With("1001").Count("x", 5, 1000)).Message);
    }

    [Fact]
    public void Defaults_are_those_of_Duplicati()
    {
        TransferSettings settings = TransferSettings.From(new StoreOptions([]));

        Assert.Equal(new TransferSettings { Retries = 5, RetryDelay = TimeSpan.FromSeconds(10), ProgressTimeout = TimeSpan.FromSeconds(30) }, settings);
    }

    private static StoreOptions With(string text) => new([new("x", text)]);
}
