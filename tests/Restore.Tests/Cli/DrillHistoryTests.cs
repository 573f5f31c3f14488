using System.Text.RegularExpressions;
using Restore.Cli;
using Restore.Cli.Rendering;

namespace Restore.Tests.Cli;

/// <summary>The page to which each drill adds itself.</summary>
public sealed partial class DrillHistoryTests : IDisposable
{
    private readonly TempFolder folder = new();

    private string Page => Path.Combine(folder.Path, "drills.html");

    [Fact]
    public async Task Each_drill_adds_a_bar_and_a_row_also_one_with_losses_and_one_that_failed()
    {
        Assert.Equal(ExitCodes.Complete, await DrillAsync(Fixtures.Backup("plain-1mb")));
        Assert.Equal(ExitCodes.Incomplete, await DrillAsync(Fixtures.Backup("damaged/dblock-missing-plain")));
        Assert.Equal(ExitCodes.NotFound, await DrillAsync(Path.Combine(folder.Path, "<b>&gone")));

        var page = await File.ReadAllTextAsync(Page);
        var drills = DrillHistory.Read(Page);
        Assert.Equal(
            [ExitCodes.Complete, ExitCodes.Incomplete, ExitCodes.NotFound],
            drills.Select(drill => drill.ExitCode)
        );
        Assert.Equal((0L, true), (drills[0].Lost, drills[0].Files > 0 && drills[0].Bytes > 0));
        Assert.True(drills[1].Lost > 0);
        Assert.NotNull(drills[2].Failure);
        Assert.Equal(3 * 3, Bar().Count(page));
        Assert.Equal(3 + 1, Row().Count(page));
        Assert.Contains("3 drills, 1 without a loss; the newest: failed (exit code 5)", page, StringComparison.Ordinal);
        Assert.DoesNotContain("<b>", page, StringComparison.Ordinal);
        Assert.EndsWith("</html>\n", page, StringComparison.Ordinal);
        Assert.Equal([Page], Directory.GetFileSystemEntries(folder.Path));
    }

    [Theory]
    [InlineData("a letter")]
    [InlineData("<script type=\"application/json\" id=\"drills\">[{\"time\":1}]</script>")]
    [InlineData("<script type=\"application/json\" id=\"drills\">[</script>")]
    public async Task A_file_that_is_something_else_is_refused_and_stays(string text)
    {
        await File.WriteAllTextAsync(Page, text);

        var run = await CliRun.OfAsync("verify", Fixtures.Backup("plain-1mb"), $"--history={Page}", "-q");

        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains("is something else than a history of drills", run.Error, StringComparison.Ordinal);
        Assert.Equal(text, await File.ReadAllTextAsync(Page));
    }

    [Fact]
    public async Task A_dry_run_is_no_drill()
    {
        var run = await CliRun.OfAsync("verify", Fixtures.Backup("plain-1mb"), $"--history={Page}", "--dry-run");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith("--history needs a run", run.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(Page));
    }

    [Fact]
    public void A_history_keeps_the_newest_drills_only()
    {
        var first = Drill(0);
        DrillRecord[] earlier = [.. Enumerable.Range(0, 2000).Select(Drill)];
        using StringWriter page = new() { NewLine = "\n" };
        DrillHistory.Write(page, earlier, Drill(2000), TimeProvider.System);
        File.WriteAllText(Page, page.ToString());

        var drills = DrillHistory.Read(Page);

        Assert.Equal(730, drills.Count);
        Assert.Equal(Drill(2000), drills[^1]);
        Assert.NotEqual(first, drills[0]);

        static DrillRecord Drill(int day) =>
            new()
            {
                Time = DateTimeOffset.UnixEpoch.AddDays(day),
                Backup = "/mnt/backup",
                ExitCode = 0,
                Bytes = day,
            };
    }

    public void Dispose() => folder.Dispose();

    private async Task<int> DrillAsync(string backup) =>
        (await CliRun.OfAsync("verify", backup, $"--history={Page}", "-q")).ExitCode;

    [GeneratedRegex("<rect ")]
    private static partial Regex Bar();

    [GeneratedRegex("<tr>")]
    private static partial Regex Row();
}
