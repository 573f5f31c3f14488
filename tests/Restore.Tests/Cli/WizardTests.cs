using Restore.Cli;
using Restore.Cli.Commands;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Cli;

/// <summary><c>restore</c> alone on a terminal.</summary>
public sealed class WizardTests
{
    [Fact]
    public async Task It_asks_for_everything_and_prints_the_command_line_without_the_passphrase()
    {
        using var folder = new TempFolder();
        var backup = Fixtures.Backup("aes-100kb");
        var run = await AnswerAsync(() => "correct horse", backup, "", "*/docs/*", folder.Root, "y");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Contains("Would restore version 0 of ", run.Output, StringComparison.Ordinal);
        Assert.Matches("^ +0  2026-11-21 [^\n]* files ", run.Output);
        Assert.EndsWith($"The same on the command line: restore {backup} '*/docs/*' --restore-path={folder.Root}\n", run.Output, StringComparison.Ordinal);
        Assert.NotEmpty(Directory.EnumerateFiles(folder.Root));
        Assert.DoesNotContain("correct horse", run.Output + run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Wrong_answers_are_asked_again()
    {
        using var folder = new TempFolder();
        var run = await AnswerAsync(
            null, "/there/is/no/such/folder", $"'{Fixtures.Backup("plain-1mb")}'", "99", "x", "1", "nothing-has-this-name", "docs/x", "*.txt", "",
            Path.Combine(Fixtures.Backup("plain-1mb"), "in-it"), folder.Root, "n");
        Assert.Equal(ExitCodes.Interrupted, run.ExitCode);
        Assert.Contains("There is no such folder (/there/is/no/such/folder)", run.Error, StringComparison.Ordinal);
        Assert.Contains("There is no version 99: the oldest is 2", run.Error, StringComparison.Ordinal);
        Assert.Contains("Nothing in version 1 is selected by: 'nothing-has-this-name'", run.Error, StringComparison.Ordinal);
        Assert.Contains("Nothing in version 1 is selected by: 'docs/x'\nA path begins at the root of the backup", run.Error, StringComparison.Ordinal);
        Assert.Contains("Give a folder; one that does not exist is created", run.Error, StringComparison.Ordinal);
        Assert.Contains("is in the folder of the backup", run.Error, StringComparison.Ordinal);
        Assert.EndsWith("Nothing was changed\n", run.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(folder.Root));
    }

    [Fact]
    public async Task A_wrong_passphrase_is_asked_again()
    {
        using var folder = new TempFolder();
        var secrets = new Queue<string>(["wrong", "wrong", "wrong", "correct horse"]);
        var backup = Fixtures.Backup("aes-100kb");
        var run = await AnswerAsync(secrets.Dequeue, [backup, backup, "", "*/docs/*", folder.Root, "y"]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.NotEmpty(Directory.EnumerateFiles(folder.Root));
    }

    [Fact]
    public async Task Replacing_is_asked_only_where_there_are_files()
    {
        using var folder = new TempFolder();
        Directory.CreateDirectory(folder.Root);
        await File.WriteAllTextAsync(folder.In("mine.txt"), "mine");
        var run = await AnswerAsync(() => "correct horse", Fixtures.Backup("aes-100kb"), "", "*/docs/*", folder.Root, "y", "y");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.EndsWith(" --overwrite\n", run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ExitCodes.Interrupted, "q")]
    [InlineData(ExitCodes.Interrupted, "cancel", "maybe", "n")]
    [InlineData(ExitCodes.Interrupted, "maybe", null)]
    [InlineData(ExitCodes.Complete, "sure", "Yes")]
    [InlineData(ExitCodes.Complete, "")]
    public async Task Only_a_yes_or_an_empty_answer_restores(int code, params string?[] answers)
    {
        using var folder = new TempFolder();
        var run = await AnswerAsync(() => "correct horse", [Fixtures.Backup("aes-100kb"), "", "*/docs/*", folder.Root, .. answers]);
        Assert.True(run.ExitCode == code, run.Error);
        Assert.Equal(code == ExitCodes.Complete, Directory.Exists(folder.Root));
        Assert.Equal(answers.Length - 1, run.Error.Split("Answer y (yes) or n (no)\n").Length - 1);
    }

    [Fact]
    public async Task Without_an_answer_nothing_happens() => Assert.Equal(ExitCodes.Interrupted, (await AnswerAsync(null, "")).ExitCode);

    [Theory]
    [InlineData("restore /mnt/backup", "/mnt/backup", null, null, null)]
    [InlineData("restore '/mnt/my backup' 'it'\\''s' --version=3", "/mnt/my backup", "3", "it's", null)]
    [InlineData("restore --restore-path=/out -- ls --odd", "ls", null, "--odd", "/out")]
    [InlineData("restore ssh://ann:***@host/folder", "ssh://ann:sesame@host/folder", null, null, null)]
    public void The_command_line_is_one_for_a_shell(string expected, string backup, string? version, string? what, string? target) =>
        Assert.Equal(expected, new WizardLine(backup, version, what, target, Overwrite: false).Text(CliRun.Commands()));

    [Fact]
    [NeedsPrograms(".ci/install-packages", "script")]
    public async Task It_works_on_a_real_terminal()
    {
        using var folder = new TempFolder();
        using var terminal = new RealTerminal(string.Join(' ', ProgramRun.CommandOf()));
        (string Question, string Answer)[] dialog =
        [
            ("storage URL)?", Fixtures.Backup("aes-100kb")),
            ("Passphrase:", "correct horse"),
            ("[0]", ""),
            ("[everything]", "*/docs/*"),
            ("Into which folder", folder.Root),
            ("Restore this? [Y/n]", ""),
        ];
        foreach (var (question, answer) in dialog)
        {
            await terminal.WaitForAsync(question);
            Assert.True(question != "[0]" || terminal.Screen.Contains("   2  2026-", StringComparison.Ordinal), terminal.Screen);
            await terminal.TypeAsync(answer + "\r");
        }

        await terminal.WaitForAsync("The same on the command line:");
        Assert.Equal(ExitCodes.Complete, await terminal.ExitCodeAsync());
        Assert.NotEmpty(Directory.EnumerateFiles(folder.Root));
        Assert.DoesNotContain("correct horse", terminal.Screen, StringComparison.Ordinal);
    }

    private static Task<CliRun> AnswerAsync(Func<string>? secret, params string?[] answers)
    {
        var left = new Queue<string?>(answers);
        return CliRun.OfAsync(environment => environment with
        {
            Ask = _ => left.TryDequeue(out var answer) ? answer : throw new InvalidOperationException("There are more questions than answers"),
            AskSecret = secret is null ? null : _ => secret(),
        });
    }
}
