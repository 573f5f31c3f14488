using Restore.Cli;
using Restore.Cli.Options;

namespace Restore.Tests.Cli;

/// <summary>A date without a time of day.</summary>
public sealed class WholeDayTests
{
    [Theory]
    [InlineData("2026-11-24", "2026-11-24T23:59:59")]
    [InlineData(" 2026-11-24 ", "2026-11-24T23:59:59")]
    [InlineData("2026-11-24Z", "2026-11-24T23:59:59Z")]
    [InlineData("2026-11-24 UTC", "2026-11-24T23:59:59 UTC")]
    [InlineData("2026-11-24 +02:00", "2026-11-24T23:59:59 +02:00")]
    [InlineData("2026-11-24T20:00", null)]
    [InlineData("2026-11-24 20:00:00", null)]
    [InlineData("20261124T200000Z", null)]
    [InlineData("now", null)]
    [InlineData("2W", null)]
    public void Only_a_bare_date_has_an_end(string text, string? end)
    {
        Assert.Equal(end, WholeDay.EndOf(text));
        Assert.True(end is null || TimeExpression.TryParse(end, TimeProvider.System, out _));
    }

    [Fact]
    public async Task A_date_that_does_not_choose_the_version_of_that_day_names_it()
    {
        var run = await CliRun.OfAsync("ls", Fixtures.Backup("plain-1mb"), "--time=2026-11-21");
        Assert.Equal(ExitCodes.NotFound, run.ExitCode);
        Assert.Contains(
            "2026-11-21 means the beginning of that day; its newest version is --time=2026-11-21T13:30:33\n",
            run.Error,
            StringComparison.Ordinal
        );
        run = await CliRun.OfAsync("ls", Fixtures.Backup("plain-1mb"), "--time=2026-11-21T13:30:33");
        Assert.Equal((ExitCodes.Complete, ""), (run.ExitCode, run.Error));
    }

    [Theory]
    [InlineData("--time=2026-11-22")]
    [InlineData("--time=2026-11-21T14:00")]
    [InlineData("--version=1")]
    public async Task Nothing_is_said_of_a_time_that_chooses_what_it_names(string option)
    {
        var run = await CliRun.OfAsync("ls", Fixtures.Backup("plain-1mb"), option);
        Assert.Equal((ExitCodes.Complete, ""), (run.ExitCode, run.Error));
    }
}
