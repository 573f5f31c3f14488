using Restore.Cli;
using Restore.Cli.Help;
using Restore.Cli.Options;

namespace Restore.Tests.Cli;

public sealed class HelpTests
{
    public static TheoryData<string> Names => [.. CliRun.Commands().Select(command => command.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task The_help_of_a_command_is_the_approved_text(string name)
    {
        var run = await CliRun.OfAsync(name == "restore" ? ["--help"] : [name, "--help"]);
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Empty(run.Error);
        await Approved.AssertAsync(run.Output, "tests", "Restore.Tests", "Cli", "Help", $"{name}.approved.txt");
    }

    [Theory]
    [InlineData("-h")]
    [InlineData("-?")]
    [InlineData("/backup", "--help", "--frobnicate")]
    [InlineData("/backup", "--restore-cache-max=-1", "--help")]
    public async Task Help_is_printed_whatever_else_is_on_the_command_line(params string[] arguments) =>
        Assert.Equal(await CliRun.OfAsync("--help"), await CliRun.OfAsync(arguments));

    [Theory]
    [MemberData(nameof(Names))]
    public async Task The_help_of_a_command_shows_its_options_and_no_others(string name)
    {
        var help = (await CliRun.OfAsync(name == "restore" ? ["help", "options"] : [name, "--help"])).Output;
        var shown = help.Split('\n')
            .Where(line => line.StartsWith("  -", StringComparison.Ordinal))
            .Select(line => line.Trim().Split(' ', ',')[0]);
        var command = CliRun.Commands().Single(command => command.Name == name);
        var groups = command.Options.Where(group => name == "restore" || !group.IsGeneral);
        Assert.Equal(groups.SelectMany(group => group.Options).Select(option => option.Name), shown);
    }

    [Fact]
    public async Task The_first_screen_has_at_most_60_lines_and_every_command_once()
    {
        var help = (await CliRun.OfAsync("--help")).Output;
        Assert.InRange(help.Count(character => character == '\n'), 1, 60);
        Assert.All(
            CliRun.Commands().Skip(1),
            command =>
                Assert.Single(help.Split('\n'), line => line.StartsWith($"  {command.Name} ", StringComparison.Ordinal))
        );
        Assert.Contains("\nOther:\n  completion      print", help, StringComparison.Ordinal);
        Assert.Equal(5, CliRun.Commands()[0].Examples.Count);
    }

    [Theory]
    [InlineData("--help")]
    [InlineData("verify", "--help")]
    [InlineData("backup", "--help")]
    [InlineData("help", "options")]
    [InlineData("help", "filters")]
    [InlineData("help", "exit-codes")]
    public async Task On_a_terminal_help_fits_its_columns_and_has_the_same_words(params string[] arguments)
    {
        var whole = (await CliRun.OfAsync(arguments)).Output;
        var fitted = (
            await CliRun.OfAsync(
                environment => environment with { OutputIsTerminal = true, TerminalWidth = () => 80 },
                arguments
            )
        ).Output;
        Assert.All(fitted.Split('\n'), line => Assert.InRange(line.Length, 0, 79));
        Assert.Equal(Words(whole), Words(fitted));

        static string[] Words(string text) => text.Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries);
    }

    [Fact]
    public async Task The_page_about_stores_is_that_of_the_command() =>
        Assert.Equal(await CliRun.OfAsync("stores"), await CliRun.OfAsync("help", "stores"));

    [Theory]
    [InlineData("options")]
    [InlineData("filters")]
    [InlineData("exit-codes")]
    public async Task A_page_of_the_help_is_the_approved_text(string topic)
    {
        var run = await CliRun.OfAsync("help", topic);
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.All(run.Output.Split('\n'), line => Assert.True(line.Length <= 104, line));
        await Approved.AssertAsync(
            run.Output.TrimStart('\n'),
            "tests",
            "Restore.Tests",
            "Cli",
            "Help",
            $"help-{topic}.approved.txt"
        );
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Lines_of_the_help_fit_a_wide_terminal(string name) =>
        Assert.All(
            (await CliRun.OfAsync(name == "restore" ? ["--help"] : [name, "--help"])).Output.Split('\n'),
            line => Assert.True(line.Length <= 104, line)
        );

    [Theory]
    [InlineData("--program-version")]
    [InlineData("ls", "--program-version")]
    [InlineData("--version")]
    public async Task The_programs_own_version_has_an_option_of_its_own(params string[] arguments)
    {
        var run = await CliRun.OfAsync(arguments);
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Matches(
            @"^restore \d+\.\d+\.\d+ \((commit [0-9a-f]{40}, )?[a-z]+-[a-z0-9]+, (\.NET 10\.[\d.]+|native code)\)\n$",
            run.Output
        );
    }

    [Fact]
    public async Task The_manual_is_what_the_commands_declare()
    {
        var page = await File.ReadAllTextAsync(Path.Combine(Fixtures.RepositoryRoot(), "docs", "cli.md"));
        var manual = new Manual(CliRun.Commands());
        string[] expected = ["usage", "exit codes", "completion", .. manual.OptionTitles()];
        Assert.Equal(expected.Order(StringComparer.Ordinal), Manual.SectionsOf(page).Order(StringComparer.Ordinal));
        await Approved.AssertAsync(manual.Renew(page), "docs", "cli.md");
    }

    [Fact]
    public async Task Every_option_in_the_manual_of_the_stores_goes_to_the_store()
    {
        var manual = await File.ReadAllLinesAsync(Path.Combine(Fixtures.RepositoryRoot(), "docs", "stores.md"));
        string[] names =
        [
            .. manual
                .Where(line =>
                    line.StartsWith("| `", StringComparison.Ordinal) && !line.Contains("://", StringComparison.Ordinal)
                )
                .SelectMany(line => line.Split('|')[1].Split('`').Where((_, part) => part % 2 == 1)),
        ];
        Assert.NotEmpty(names);
        Assert.All(names, name => Assert.True(ForeignOptions.IsStoreOption(name), name));
    }

    [Fact]
    public void Every_exit_code_has_a_meaning() =>
        Assert.Equal(
            [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 130],
            ExitCodes.Meanings.Select(code => code.Code)
        );
}
