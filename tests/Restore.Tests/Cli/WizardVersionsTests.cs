using Restore.Cli;
using Restore.Cli.Commands;

namespace Restore.Tests.Cli;

/// <summary>The guide after an attack.</summary>
public sealed class WizardVersionsTests : IDisposable
{
    private readonly AttackedBackup backup = new();

    public void Dispose() => backup.Dispose();

    [Fact]
    public async Task It_warns_of_a_suspect_newest_version_and_its_plan_says_it_again()
    {
        await backup.LiveAndEncryptAsync();
        var run = await AnswerAsync(backup.Store, "", "", backup.Target, "n");
        Assert.Contains(
            "Warning: Version 0 is suspect: it looks as after an attack or an accident. Version 2 is the newest good one, and g ",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.Contains("  Suspect   version 0 looks as after", run.Output, StringComparison.Ordinal);
        Assert.Contains("; g as the version takes each file", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("--", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task One_letter_takes_each_file_from_its_newest_good_version()
    {
        await backup.LiveAndEncryptAsync();
        var run = await AnswerAsync(backup.Store, "g", "there-is-no-such-name", "", backup.Target, "y");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error + run.Output);
        Assert.Contains("No version has a good file that matches", run.Error, StringComparison.Ordinal);
        Assert.EndsWith(
            $"The same on the command line: restore {backup.Store} --last-good --restore-path={backup.Target}\n",
            run.Output,
            StringComparison.Ordinal
        );
        Assert.DoesNotContain("  Suspect ", run.Output, StringComparison.Ordinal);
        Assert.NotEmpty(Directory.EnumerateFiles(backup.Target, "*", SearchOption.AllDirectories));
        Assert.Empty(Directory.EnumerateFiles(backup.Target, "*.locked", SearchOption.AllDirectories));
    }

    [Fact]
    public async Task A_plan_on_the_command_line_names_the_option()
    {
        await backup.LiveAndEncryptAsync();
        var run = await CliRun.OfAsync(backup.Store, $"--restore-path={backup.Target}", "--dry-run");
        Assert.Contains("; --last-good takes each file from its", run.Output, StringComparison.Ordinal);
        run = await CliRun.OfAsync(backup.Store, $"--restore-path={backup.Target}", "--dry-run", "--version=2");
        Assert.DoesNotContain("  Suspect ", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_assessment_ends_with_the_command_that_restores()
    {
        await backup.LiveAndEncryptAsync();
        var run = await CliRun.OfAsync("assess", backup.Store);
        Assert.EndsWith(
            $":\n  restore {backup.Store} --last-good --restore-path=FOLDER\n",
            run.Output,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("x")]
    [InlineData("3")]
    [InlineData("20260131")]
    [InlineData("2026-02-30")]
    public void An_answer_that_names_no_version_is_refused(string answer)
    {
        WizardVersions versions = new("   0  a\n   1  b\n   2  c\n");
        Assert.Null(versions.With(new WizardLine("/mnt/backup", null, null, null, false), answer, TimeProvider.System));
        Assert.StartsWith($"There is no version {answer}: ", versions.Refusal(answer), StringComparison.Ordinal);
        Assert.Null(versions.Warning);
    }

    private static Task<CliRun> AnswerAsync(params string[] answers)
    {
        Queue<string> left = new(answers);
        return CliRun.OfAsync(environment => environment with { Ask = _ => left.Dequeue() });
    }
}
