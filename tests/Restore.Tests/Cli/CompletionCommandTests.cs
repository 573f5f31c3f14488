using System.Diagnostics;
using Restore.Cli;
using Restore.Cli.Help;
using Restore.Cli.Options;
using Restore.Tests.Support;

namespace Restore.Tests.Cli;

/// <summary>
/// The scripts for shells: all are complete, and those of shells that are installed are run.
/// </summary>
public sealed class CompletionCommandTests
{
    public static TheoryData<string> Shells => [.. Declared()];

    [Theory]
    [MemberData(nameof(Shells))]
    public async Task A_script_has_every_command_and_every_option(string shell)
    {
        var script = await ScriptAsync(shell);
        Assert.All(CliRun.Commands(), command => Assert.Contains(command.Name, script, StringComparison.Ordinal));
        Assert.All(
            CliRun.Options().SelectMany(option => option.Names),
            name => Assert.Contains(Written(name), script, StringComparison.Ordinal)
        );

        string Written(string name) =>
            shell != "fish" ? name
            : name.StartsWith("--", StringComparison.Ordinal) ? $"-l {name[2..]} "
            : $"-s '{name[1..]}'";
    }

    [Theory]
    [InlineData]
    [InlineData("tcsh")]
    public async Task Without_a_shell_that_is_known_it_is_a_usage_error(params string[] shell)
    {
        var run = await CliRun.OfAsync(["completion", .. shell]);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Equal(
            "Give the name of a shell: bash, zsh, fish, pwsh\n'restore completion --help' shows the usage\n",
            run.Error
        );
    }

    [Theory]
    [InlineData("v", "verify versions")]
    [InlineData("ls --pass", "--passphrase --passphrase-command --passphrase-file")]
    [InlineData("ls --restore-p", "")]
    [InlineData("--restore-p", "--restore-path --restore-permissions --restore-preallocate-size")]
    [InlineData("/backup --restore-p", "--restore-path --restore-permissions --restore-preallocate-size")]
    [InlineData("--json ls --ver", "--verbose --version")]
    [InlineData("verify /backup --range-reads ", "always auto never")]
    [InlineData("verify /backup --range-reads n", "never")]
    [InlineData("verify /backup --range-reads = a", "always auto")]
    [InlineData("completion ", "bash fish pwsh zsh")]
    [InlineData("--target /x ls --restore-p", "")]
    public async Task Bash_offers_what_fits(string typed, string expected)
    {
        if (!IsInstalled("bash"))
        {
            return;
        }

        // Bash splits the line at equals signs, too; the words stand apart here as it gives them.
        var words = string.Join(' ', typed.Split(' ').Select(word => $"'{word}'"));
        var typing = $"COMP_WORDS=(restore {words}); COMP_CWORD={typed.Split(' ').Length}; _restore";
        var offered = await RunAsync(
            "bash",
            $"{await ScriptAsync("bash")}\n{typing}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        Assert.Equal(
            expected,
            string.Join(' ', offered.Split('\n', StringSplitOptions.RemoveEmptyEntries).Order(StringComparer.Ordinal))
        );
    }

    [Theory]
    [InlineData("ls --pass", "--passphrase --passphrase-command --passphrase-file")]
    [InlineData("ls --restore-p", "")]
    [InlineData("/backup --restore-pe", "--restore-permissions")]
    [InlineData("verify /backup --range-reads=n", "--range-reads=never")]
    [InlineData("completion p", "pwsh")]
    public async Task Fish_offers_what_fits(string typed, string expected)
    {
        if (!IsInstalled("fish"))
        {
            return;
        }

        var offered = await RunAsync("fish", $"{await ScriptAsync("fish")}\ncomplete -C 'restore {typed}'");
        Assert.Equal(
            expected,
            string.Join(
                ' ',
                offered.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split('\t')[0]).Order()
            )
        );
    }

    [Theory]
    [InlineData("bash")]
    [InlineData("zsh")]
    [InlineData("fish")]
    public async Task A_shell_that_is_installed_can_read_its_script(string shell)
    {
        if (IsInstalled(shell))
        {
            Assert.Empty(await RunAsync(shell, await ScriptAsync(shell), "-n"));
        }
    }

    private static IEnumerable<string> Declared() =>
        CliRun.Commands().OfType<CompletionCommand>().Single().Operands[0].Words;

    private static async Task<string> ScriptAsync(string shell)
    {
        var run = await CliRun.OfAsync("completion", shell);
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        return run.Output;
    }

    private static bool IsInstalled(string shell) =>
        Environment
            .GetEnvironmentVariable("PATH")!
            .Split(Path.PathSeparator)
            .Any(folder => File.Exists(Path.Combine(folder, shell)));

    private static async Task<string> RunAsync(string shell, string script, params string[] options)
    {
        using var folder = new TempFolder();
        var file = Path.Combine(folder.Path, "script");
        File.WriteAllText(file, script);
        var start = new ProcessStartInfo(shell, [.. options, file])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var process = Process.Start(start)!;
        var error = process.StandardError.ReadToEndAsync();
        var output = await process.StandardOutput.ReadToEndAsync();
        Assert.Equal("", await error);
        return output;
    }
}
