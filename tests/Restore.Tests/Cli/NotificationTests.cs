using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>A program that is started after a run.</summary>
public sealed class NotificationTests
{
    private static readonly string Backup = Fixtures.Backup("plain-1mb");

    [Fact]
    public async Task It_gets_the_result_and_no_secret()
    {
        using var folder = new TempFolder();
        var (script, result) = Script(folder, "env > \"$HOME/result\"");
        var run = await RunAsync(
            folder,
            Backup,
            "*.txt",
            "-t",
            folder.Root,
            "--passphrase=sesame",
            "--notify-command=" + script
        );
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        var variables = await File.ReadAllLinesAsync(result);
        Assert.Contains("RESTORE_STATUS=complete", variables);
        Assert.Contains("RESTORE_EXIT_CODE=0", variables);
        Assert.Contains("RESTORE_SUMMARY=Restored 7 files, 3.5 KiB", variables);
        Assert.Contains($"RESTORE_TARGET={folder.Root}", variables);
        Assert.Contains($"RESTORE_BACKUP={Path.GetFullPath(Backup)}", variables);
        Assert.DoesNotContain(
            variables,
            line =>
                line.Contains("sesame", StringComparison.Ordinal)
                || line.StartsWith("PASSPHRASE", StringComparison.Ordinal)
        );
    }

    [Fact]
    public async Task It_is_started_when_the_run_fails_too()
    {
        using var folder = new TempFolder();
        var (script, result) = Script(folder, "env > \"$HOME/result\"");
        var run = await RunAsync(folder, folder.Path + "/missing", "--notify-command=" + script);
        Assert.Equal(ExitCodes.NotFound, run.ExitCode);
        var variables = await File.ReadAllLinesAsync(result);
        Assert.Contains("RESTORE_STATUS=failed", variables);
        Assert.Contains("RESTORE_EXIT_CODE=5", variables);
    }

    [Fact]
    public async Task It_gets_a_url_without_its_password_and_so_do_metrics()
    {
        using var folder = new TempFolder();
        var (script, result) = Script(folder, "env > \"$HOME/result\"");
        var metrics = Path.Combine(folder.Path, "m.prom");
        var run = await RunAsync(
            folder,
            "verify",
            "webdav://ann:abc@127.0.0.1:1/b",
            "--number-of-retries=0",
            "--metrics=" + metrics,
            "--notify-command=" + script
        );
        Assert.NotEqual(ExitCodes.Complete, run.ExitCode);
        Assert.Contains("RESTORE_BACKUP=webdav://ann@127.0.0.1:1/b", await File.ReadAllLinesAsync(result));
        Assert.Contains(
            "backup=\"webdav://ann@127.0.0.1:1/b\"",
            await File.ReadAllTextAsync(metrics),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task It_is_started_after_the_last_step_of_shards_too()
    {
        using var folder = new TempFolder();
        var (script, result) = Script(folder, "env > \"$HOME/result\"");
        var plan = Path.Combine(folder.Path, "job.rplan");
        var saved = await CliRun.OfAsync("plan", Backup, "*.txt", "-t", folder.Root, $"--save={plan}", "--shards=1");
        Assert.True(saved.ExitCode == ExitCodes.Complete, saved.Error);
        await RunAsync(folder, "finish", plan, "--notify-command=" + script);
        var failed = await File.ReadAllLinesAsync(result);
        Assert.Contains("RESTORE_EXIT_CODE=10", failed);
        Assert.Contains($"RESTORE_BACKUP={Path.GetFullPath(Backup)}", failed);
        Assert.Contains($"RESTORE_TARGET={folder.Root}", failed);
        await CliRun.OfAsync("run", plan, "--shard=1/1");
        var run = await RunAsync(folder, "finish", plan, "--notify-command=" + script);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Contains("RESTORE_STATUS=complete", await File.ReadAllLinesAsync(result));
    }

    [Fact]
    public async Task Its_own_failure_is_said_and_does_not_change_the_exit_code()
    {
        using var folder = new TempFolder();
        var (script, _) = Script(folder, "exit 7");
        var run = await RunAsync(folder, "verify", Backup, "*.txt", "--notify-command=" + script);
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.EndsWith($"--notify-command: {script} ended with exit code 7\n", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("/a/missing/program")]
    [InlineData("no-such-program-anywhere")]
    [InlineData("sh -c true")]
    public async Task A_program_that_is_not_there_is_a_usage_error_before_the_run(string program)
    {
        var run = await CliRun.OfAsync(Backup, "-t", "/dev/null/x", "--notify-command=" + program);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(
            $"--notify-command: there is no program {program}; give its path, without arguments\n",
            run.Error,
            StringComparison.Ordinal
        );
    }

    private static Task<CliRun> RunAsync(TempFolder folder, params string[] arguments) =>
        CliRun.OfAsync(
            environment =>
                environment with
                {
                    Variable = name =>
                        name == "HOME" ? folder.Path
                        : name == "PATH" ? Environment.GetEnvironmentVariable(name)
                        : name == "SECRET" ? "sesame"
                        : null,
                },
            arguments
        );

    private static (string Script, string Result) Script(TempFolder folder, string command)
    {
        var script = Path.Combine(folder.Path, "notify");
        File.WriteAllText(script, $"#!/bin/sh\n{command}\n");
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(script, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }

        return (script, Path.Combine(folder.Path, "result"));
    }
}
