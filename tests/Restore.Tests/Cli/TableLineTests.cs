using Restore.Cli;
using Restore.Cli.Rendering;

namespace Restore.Tests.Cli;

/// <summary>Lines of tables, on terminals of any width.</summary>
public sealed class TableLineTests
{
    [Theory]
    [InlineData(80)]
    [InlineData(64)]
    [InlineData(200)]
    public async Task No_line_of_versions_is_longer_than_the_terminal(int width)
    {
        string[] lines = await LinesAsync(width, "versions", Fixtures.Backup("plain-1mb"));
        Assert.All(lines, line => Assert.InRange(line.Length, 1, width));
        Assert.Equal(3, lines.Length);
        Assert.Contains(
            width == 200 ? "3 added, 1 changed, 4 removed"
                : width == 80 ? "+3 ~1 -4"
                : "35.1 MiB",
            lines[0],
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData(80, false, false)]
    [InlineData(120, true, false)]
    [InlineData(200, true, true)]
    public async Task A_history_leaves_out_hashes_and_then_times_on_a_narrow_terminal(
        int width,
        bool hasTimes,
        bool hasHashes
    )
    {
        string[] lines = await LinesAsync(width, "history", Fixtures.Backup("plain-1mb"), "*/readme.txt");
        Assert.NotEmpty(lines);
        Assert.All(lines, line => Assert.InRange(line.Length, 1, width));
        Assert.All(lines, line => Assert.Equal(hasTimes, line.Contains("modified", StringComparison.Ordinal)));
        Assert.All(lines, line => Assert.Equal(hasHashes, line.Length > 130));
    }

    [Fact]
    public async Task A_pipe_gets_all_columns()
    {
        CliEnvironment? environment = null;
        await CliRun.OfAsync(given => environment = given with { TerminalWidth = () => 10 }, "--version");
        Assert.Equal("start, long form end", TableLine.Fit(environment!, "start", " end", ", long form", ""));
    }

    private static async Task<string[]> LinesAsync(int width, params string[] arguments)
    {
        CliRun run = await CliRun.OfAsync(
            environment => environment with { OutputIsTerminal = true, TerminalWidth = () => width },
            arguments
        );
        Assert.Equal("", run.Error);
        return run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }
}
