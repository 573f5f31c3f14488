using System.Text.RegularExpressions;
using Restore.Cli;
using Restore.Tests.Architecture;
using Restore.Tests.Cli;

namespace Restore.Tests.Docs;

/// <summary>
/// The commands that the pages and the help show: each is taken by the parser, and does what it is
/// there for if its backup is in a folder.
/// </summary>
public sealed partial class CommandTests(ExampleMachine machine) : IClassFixture<ExampleMachine>
{
    public static TheoryData<string> Restores() =>
        [.. Shown().Where(command => Arguments(command) is not null).Distinct()];

    [Theory]
    [MemberData(nameof(Restores))]
    public async Task A_command_works(string command)
    {
        string[] arguments = [.. Arguments(command)!.Select(machine.Here)];
        // One step of several: all of them are in ShardCommandTests.
        if (arguments[0] is "plan" or "run" or "finish" or "shard-estimate")
        {
            CliRun.Request(arguments);
            return;
        }

        // A mount does not end by itself; real ones are in the tests of Mount.
        if (arguments[0] == "mount" || arguments.Any(argument => argument.Contains("://", StringComparison.Ordinal)))
        {
            Assert.NotEmpty(CliRun.Request(arguments).Storage);
            return;
        }

        // The other commands would no longer have the passphrase; PassphraseChangeTests change one.
        if (arguments.Any(argument => argument.StartsWith("--new-passphrase", StringComparison.Ordinal)))
        {
            CliRun.Request(arguments);
            return;
        }

        // A server runs until it is interrupted.
        using CancellationTokenSource interruption = new();
        using InterruptingText output = new("WebDAV", interruption);
        CliRun run = await CliRun.OfAsync(
            environment =>
                environment with
                {
                    Variable = machine.Variable,
                    Output = arguments[0] == "browse" ? output : environment.Output,
                    StopToken = interruption.Token,

                    // A program that is not published carries none.
                    OpenRestorer = () => new MemoryStream([1]),
                },
            arguments
        );

        // What would be lost without a volume is the answer that was asked for.
        int expected = arguments[0] == "affected" ? ExitCodes.Incomplete : ExitCodes.Complete;
        Assert.True(run.ExitCode == expected, $"exit code {run.ExitCode}: {run.Error}{run.Output}");
    }

    [Fact]
    public void The_commands_of_both_pages_are_found()
    {
        Assert.Contains(
            "restore /mnt/backup /home/ann/photos/ --version=3 --restore-path=/mnt/new-disk/photos",
            Shown()
        );
        Assert.Contains("restore verify /mnt/backup", Shown());
        Assert.Contains(Shown(), command => Arguments(command) is [.., "--restore-path=out/sample"]);
        Assert.Equal(
            ["find", "/mnt/backup", "a b*.odt", "--passphrase=c d"],
            Arguments("restore find /mnt/backup 'a b*.odt' --passphrase=\"c d\"")!
        );
    }

    [Fact]
    public void Projects_that_commands_name_are_there() =>
        Violations.AssertNone(
            from command in Shown()
            from Match project in Project().Matches(command)
            where !Path.Exists(Path.Combine(Fixtures.RepositoryRoot(), project.Value))
            select $"'{command}' names {project.Value}, which is not there."
        );

    /// <summary>
    /// Commands are lines of code or stand between backquotes; forms with &lt;something&gt; in them
    /// are not meant to be run.
    /// </summary>
    private static IEnumerable<string> Shown() =>
        from code in Page.All()
            .SelectMany(page => page.IndentedLines().Concat(page.InlineCode()))
            .Concat(CliRun.Commands().SelectMany(command => command.Examples))
        where
            code.StartsWith("restore ", StringComparison.Ordinal)
            || code.StartsWith("dotnet ", StringComparison.Ordinal)
        where !code.Contains('<', StringComparison.Ordinal)
        select Remark().Replace(code, "");

    /// <summary>The arguments of a run of the host, or null when the command is another.</summary>
    private static string[]? Arguments(string command)
    {
        string[] words = [.. Word().Matches(command).Select(match => Quote().Replace(match.Value, ""))];
        int separator = Array.IndexOf(words, "--");
        return words[0] == "restore" ? words[1..]
            : separator > 0 && separator < words.Length - 1 && words.Contains("src/Restore.Cli")
                ? words[(separator + 1)..]
            : null;
    }

    [GeneratedRegex(@"(?:[^\s'""]|'[^']*'|""[^""]*"")+")]
    private static partial Regex Word();

    [GeneratedRegex("['\"]")]
    private static partial Regex Quote();

    [GeneratedRegex(@"\s{2,}.*$")]
    private static partial Regex Remark();

    [GeneratedRegex(@"(?<=--project )\S+|\b\w+\.sln\b|(?<=dotnet test )(?:src|tests)/\S+")]
    private static partial Regex Project();
}
