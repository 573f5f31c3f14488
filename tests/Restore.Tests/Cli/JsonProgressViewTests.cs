using System.Text.Json;
using Restore.Cli;
using Restore.Cli.Rendering;

namespace Restore.Tests.Cli;

/// <summary>The lines of JSON of a run.</summary>
public sealed class JsonProgressViewTests
{
    [Fact]
    public async Task A_run_ends_with_its_summary_and_names_each_item_if_asked_for()
    {
        using var folder = new TempFolder();
        var run = await CliRun.OfAsync(Fixtures.Backup("plain-1mb"), "*.txt", "-t", folder.Root, "--json", "--verbose");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        var lines = run
            .Output.Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => JsonDocument.Parse(line).RootElement)
            .ToList();
        Assert.Equal("summary", Type(lines[^1]));
        Assert.Equal(7, lines[^1].GetProperty("files").GetInt32());
        var items = lines.Where(line => Type(line) == "item").ToList();
        Assert.Equal(7, items.Count);
        Assert.All(items, item => Assert.Equal("restored", item.GetProperty("action").GetString()));
        Assert.All(
            items,
            item => Assert.EndsWith(".txt", item.GetProperty("item").GetString(), StringComparison.Ordinal)
        );
    }

    [Fact]
    public async Task Without_verbose_a_short_run_is_one_line()
    {
        var run = await CliRun.OfAsync("verify", Fixtures.Backup("plain-1mb"), "*.txt", "--json");
        Assert.Equal("summary", Type(JsonDocument.Parse(run.Output).RootElement));
    }

    [Fact]
    public async Task A_status_comes_each_second()
    {
        var clock = new FakeClock();
        using var output = new StringWriter { NewLine = "\n" };
        await using var view = new JsonProgressView(output, clock);
        for (var tenth = 0; tenth <= 25; tenth++)
        {
            view.Report(
                new RestoreProgress(
                    RestorePhase.Restoring,
                    tenth,
                    100,
                    tenth * 1000,
                    100_000,
                    1,
                    4,
                    tenth * 500,
                    TimeSpan.FromMilliseconds(tenth * 100)
                )
            );
            clock.Advance(TimeSpan.FromMilliseconds(100));
        }

        var lines = output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(2, lines.Length);
        Assert.Equal(
            "{'messageType':'status','phase':'restoring','secondsElapsed':1,'percentDone':0.1,'totalFiles':100,'filesRestored':10,"
                + "'totalBytes':100000,'bytesRestored':10000,'bytesToFetch':0,'bytesFetched':5000,'bytesPerSecond':10000,'secondsRemaining':9}",
            lines[0].Replace('"', '\'')
        );
    }

    [Theory]
    [InlineData(ExitCodes.Usage, "ls", "/mnt/backup", "--no-such-option", "--json")]
    [InlineData(ExitCodes.NotFound, "versions", "/there/is/no/such/folder", "--json")]
    [InlineData(ExitCodes.NotFound, "/there/is/no/such/folder", "-t", "/tmp/out", "--json=true")]
    public async Task A_failure_is_JSON_too(int code, params string[] arguments)
    {
        var run = await CliRun.OfAsync(arguments);
        Assert.Equal(code, run.ExitCode);
        var failure = JsonDocument.Parse(run.Output).RootElement;
        Assert.Equal("error", Type(failure));
        Assert.Equal(code, failure.GetProperty("exitCode").GetInt32());
        Assert.Contains(failure.GetProperty("error").GetString()!, run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_failure_without_json_leaves_the_output_empty() =>
        Assert.Empty((await CliRun.OfAsync("versions", "/there/is/no/such/folder", "--json=false")).Output);

    [Fact]
    public async Task A_failure_in_JSON_has_no_secret()
    {
        var run = await CliRun.OfAsync("versions", "ftp://ann:sesame-42@/folder", "--json");
        Assert.NotEqual(ExitCodes.Complete, run.ExitCode);
        Assert.NotEmpty(run.Output);
        Assert.DoesNotContain("sesame-42", run.Output + run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", 5)]
    [InlineData("", 0, 0)]
    [InlineData("▁█", 0, 10)]
    [InlineData("▁▃▅█", 0, 2, 4, 7)]
    public void A_sparkline_has_a_bar_for_each_number(string bars, params int[] values) =>
        Assert.Equal(bars, Sparkline.Of([.. values.Select(value => (double)value)]));

    private static string? Type(JsonElement line) => line.GetProperty("messageType").GetString();
}
