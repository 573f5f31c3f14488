using Restore.Cli;
using Restore.Cli.Options;

namespace Restore.Tests.Cli;

public sealed class HelpTests
{
    [Theory]
    [InlineData("--help")]
    [InlineData("-h")]
    [InlineData("-?")]
    [InlineData("ls", "--help")]
    [InlineData("/backup", "--help", "--frobnicate")]
    public async Task Help_is_the_approved_text(params string[] arguments)
    {
        var run = await CliRun.OfAsync(arguments);
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Empty(run.Error);
        var approved = Path.Combine(Fixtures.RepositoryRoot(), "tests", "Restore.Tests", "Cli", "help.approved.txt");
        Assert.Equal(await File.ReadAllTextAsync(approved), run.Output);
    }

    [Fact]
    public async Task Lines_of_the_help_fit_a_wide_terminal() =>
        Assert.All((await CliRun.OfAsync("--help")).Output.Split('\n'), line => Assert.True(line.Length <= 110, line));

    [Fact]
    public async Task The_programs_own_version_has_an_option_of_its_own()
    {
        var run = await CliRun.OfAsync("--program-version");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Matches(@"^restore \d+\.\d+\.\d+", run.Output);
    }

    [Fact]
    public async Task The_manual_has_every_option_and_no_other()
    {
        var manual = await File.ReadAllLinesAsync(Path.Combine(Fixtures.RepositoryRoot(), "docs", "cli.md"));
        var documented = manual
            .Where(line => line.StartsWith("| `-", StringComparison.Ordinal))
            .SelectMany(line => line.Split('|')[1].Split('`').Where(part => part.StartsWith('-')))
            .Select(name => name.Split('=', ' ')[0]);
        var options = new HostOptions(new FakeClock());
        Assert.Equal(options.All.SelectMany(option => option.Aliases.Append(option.Name)).Order(), documented.Order());
    }

    [Fact]
    public async Task Every_option_in_the_manual_of_the_stores_goes_to_the_store()
    {
        var manual = await File.ReadAllLinesAsync(Path.Combine(Fixtures.RepositoryRoot(), "docs", "stores.md"));
        string[] names = [.. manual
            .Where(line => line.StartsWith("| `", StringComparison.Ordinal) && !line.Contains("://", StringComparison.Ordinal))
            .SelectMany(line => line.Split('|')[1].Split('`').Where((_, part) => part % 2 == 1))];
        Assert.NotEmpty(names);
        Assert.All(names, name => Assert.True(ForeignOptions.IsStoreOption(name), name));
    }

    [Fact]
    public async Task The_manual_and_the_help_have_the_same_exit_codes()
    {
        var manual = await File.ReadAllLinesAsync(Path.Combine(Fixtures.RepositoryRoot(), "docs", "cli.md"));
        var help = (await CliRun.OfAsync("--help")).Output.Split('\n');
        var documented = manual
            .Where(line => line.StartsWith("| ", StringComparison.Ordinal))
            .Select(line => line.Split('|')[1].Trim())
            .Where(cell => int.TryParse(cell, out _));
        var helped = help.SkipWhile(line => line != "Exit codes:").Skip(1).TakeWhile(line => line.Length > 0).Select(line => line.Trim().Split(' ')[0]);
        Assert.Equal(helped, documented);
        Assert.Equal(["0", "1", "2", "3", "4", "5", "6", "130"], helped);
    }
}
