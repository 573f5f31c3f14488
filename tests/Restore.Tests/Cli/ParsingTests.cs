using Restore.Cli.Options;

namespace Restore.Tests.Cli;

public class ParsingTests
{
    [Theory]
    [InlineData("0", "b", 0)]
    [InlineData("50", "mb", 50L << 20)]
    [InlineData("50mb", "b", 50L << 20)]
    [InlineData("50 MB", "b", 50L << 20)]
    [InlineData("7b", "gb", 7)]
    [InlineData("1kib", "b", 1024)]
    [InlineData(" 4GiB ", "b", 4L << 30)]
    [InlineData("3tb", "b", 3L << 40)]
    [InlineData("8388607tb", "b", 8388607L << 40)]
    [InlineData("9223372036854775807", "b", long.MaxValue)]
    public void A_size_is_a_number_and_a_unit_of_1024(string text, string defaultUnit, long expected)
    {
        Assert.True(SizeExpression.TryParse(text, defaultUnit, out long bytes));
        Assert.Equal(expected, bytes);
    }

    [Theory]
    [InlineData("")]
    [InlineData("mb")]
    [InlineData("-1mb")]
    [InlineData("+1mb")]
    [InlineData("1.5gb")]
    [InlineData("1,000")]
    [InlineData("1xb")]
    [InlineData("1megabyte")]
    [InlineData("1mb2")]
    [InlineData("8388608tb")]
    [InlineData("9223372036854775808")]
    [InlineData("99999999999999999999999")]
    public void An_invalid_or_too_large_size_is_refused(string text)
    {
        Assert.False(SizeExpression.TryParse(text, "b", out long bytes));
        Assert.Equal(0, bytes);
    }

    [Theory]
    [InlineData(null, true)]
    [InlineData("", true)]
    [InlineData("true", true)]
    [InlineData("True", true)]
    [InlineData("1", true)]
    [InlineData("on", true)]
    [InlineData("yes", true)]
    [InlineData("0", false)]
    [InlineData("off", false)]
    [InlineData("FALSE", false)]
    [InlineData(" no ", false)]
    public void A_switch_is_on_or_off(string? text, bool expected)
    {
        Assert.True(BooleanExpression.TryParse(text, out bool value));
        Assert.Equal(expected, value);
    }

    [Theory]
    [InlineData("flase")]
    [InlineData("2")]
    [InlineData("maybe")]
    public void A_word_that_is_neither_on_nor_off_is_refused(string text) =>
        Assert.False(BooleanExpression.TryParse(text, out _));

    [Theory]
    [InlineData("0", 0)]
    [InlineData(" 12 ", 12)]
    [InlineData("3-3", 3)]
    [InlineData("4,4", 4)]
    public void A_version_is_a_number(string text, int expected)
    {
        Assert.True(VersionExpression.TryParse(text, out int index, out string? error));
        Assert.Equal(expected, index);
        Assert.Null(error);
    }

    [Theory]
    [InlineData("0,2-4,7", "'0,2-4,7' names several versions; a restore takes one")]
    [InlineData("2-4", "'2-4' names several versions; a restore takes one")]
    [InlineData("0,1", "'0,1' names several versions; a restore takes one")]
    [InlineData("", "'' is not a version number; 0 is the newest version, 1 the one before it")]
    [InlineData("-1", "'-1' is not a version number; 0 is the newest version, 1 the one before it")]
    [InlineData("0,", "'0,' is not a version number; 0 is the newest version, 1 the one before it")]
    [InlineData("newest", "'newest' is not a version number; 0 is the newest version, 1 the one before it")]
    [InlineData("99999999999", "'99999999999' is not a version number; 0 is the newest version, 1 the one before it")]
    public void Several_versions_or_none_are_refused_with_a_sentence(string text, string expected)
    {
        Assert.False(VersionExpression.TryParse(text, out _, out string? error));
        Assert.Equal(expected, error);
    }
}
