using System.Diagnostics;
using Restore.Cli;
using Restore.Cli.Help;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Cli;

/// <summary>The manual page.</summary>
public sealed class ManCommandTests
{
    [Fact]
    [NeedsPrograms(".ci/install-packages", "man", "groff")]
    public async Task Man_reads_the_page_without_a_warning_and_shows_every_command_and_option()
    {
        using var folder = new TempFolder();
        var file = Path.Combine(folder.Path, "restore.1");
        var run = await CliRun.OfAsync("man");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        await File.WriteAllTextAsync(file, run.Output);

        var (page, warnings) = await ManAsync("--warnings", "-E", "UTF-8", "-l", file);
        Assert.Empty(warnings);
        var words = string.Join(' ', page.Split([' ', '\n'], StringSplitOptions.RemoveEmptyEntries));
        Assert.All(
            CliRun.Commands(),
            command =>
                Assert.Contains(HelpText.Usage(command, command.Name == "restore"), words, StringComparison.Ordinal)
        );
        Assert.All(CliRun.Options(), option => Assert.Contains(option.Name, words, StringComparison.Ordinal));
        Assert.All(
            ExitCodes.Meanings,
            code =>
                Assert.Contains(
                    $" {code.Code} {char.ToUpperInvariant(code.Meaning[0])}",
                    words,
                    StringComparison.Ordinal
                )
        );
        Assert.Contains("[.*\\.(jpg|png)", words, StringComparison.Ordinal);
    }

    [Fact]
    public async Task On_a_terminal_it_says_how_it_is_read()
    {
        var run = await CliRun.OfAsync(environment => environment with { OutputIsTerminal = true }, "man");
        Assert.Equal("'restore man | man -l -' shows it as a page\n", run.Error);
    }

    private static async Task<(string Page, string Warnings)> ManAsync(params string[] arguments)
    {
        var start = new ProcessStartInfo(NeedsProgramsAttribute.Find("man")!, arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        (start.Environment["MANWIDTH"], start.Environment["LC_ALL"], start.Environment["GROFF_NO_SGR"]) = (
            "1000",
            "C.UTF-8",
            "1"
        );
        start.Environment["MAN_KEEP_FORMATTING"] = "";
        using var process = Process.Start(start)!;
        var warnings = process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        var page = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        return (page, await warnings);
    }
}
