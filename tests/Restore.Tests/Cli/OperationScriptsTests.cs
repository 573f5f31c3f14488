using Restore.Cli;
using Restore.Tests.Writing;

namespace Restore.Tests.Cli;

/// <summary>
/// Programs of the user's before and after a change of a backup, as Duplicati starts them.
/// </summary>
public sealed class OperationScriptsTests : IDisposable
{
    /// <summary>Options that these tests cover.</summary>
    public static readonly string[] Options =
    [
        "--run-script-before",
        "--run-script-before-required",
        "--run-script-after",
        "--run-script-timeout",
        "--run-script-with-arguments",
    ];

    private readonly RoundTrip trip = new();

    public OperationScriptsTests() => File.WriteAllText(Path.Join(trip.Source, "a"), "a");

    private bool IsMade => Directory.Exists(trip.Destination) && trip.VolumesOf("dlist").Any();

    public void Dispose() => trip.Dispose();

    [Theory]
    [InlineData(0, ExitCodes.Complete, true)]
    [InlineData(1, ExitCodes.Complete, false)]
    [InlineData(2, ExitCodes.Complete, true)]
    [InlineData(3, ExitCodes.Failed, false)]
    [InlineData(4, ExitCodes.Complete, true)]
    [InlineData(5, ExitCodes.Failed, false)]
    public async Task The_exit_code_of_a_program_before_decides_whether_the_backup_is_made(
        int code,
        int exitCode,
        bool isMade
    )
    {
        CliRun run = await BackUpAsync("--run-script-before=" + Script($"exit {code}"));
        Assert.True(run.ExitCode == exitCode, run.Error);
        Assert.Equal(
            (isMade, code > 1),
            (IsMade, run.Error.Contains($"ended with exit code {code}", StringComparison.Ordinal) && code != 1)
        );
    }

    [Theory]
    [InlineData("exit 0", true)]
    [InlineData("exit 1", false)]
    [InlineData("exit 2", false)]
    [InlineData("sleep 60", false)]
    public async Task Without_a_required_program_nothing_is_done(string body, bool isMade)
    {
        CliRun run = await BackUpAsync("--run-script-before-required=" + Script(body), "--run-script-timeout=1s");
        Assert.Equal((isMade ? ExitCodes.Complete : ExitCodes.Failed, isMade), (run.ExitCode, IsMade));
    }

    [Fact]
    public async Task A_program_that_is_not_there_ends_the_backup_before_it_begins()
    {
        CliRun run = await BackUpAsync("--run-script-after=/nowhere/program");
        Assert.Equal((ExitCodes.Failed, false), (run.ExitCode, IsMade));
        Assert.StartsWith(
            "There is no program /nowhere/program, so nothing was done\n",
            run.Error,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_program_sees_Duplicatis_variables_and_no_secret()
    {
        string seen = Path.Join(trip.Folder, "seen");
        string script = Script(
            $"env | grep DUPLICATI__ >> {seen}; test -z \"$DUPLICATI__RESULTFILE\" || cat \"$DUPLICATI__RESULTFILE\" >> {seen}"
        );
        CliRun run = await BackUpAsync(
            "--run-script-before=" + script,
            "--run-script-after=" + script,
            "--passphrase=very secret",
            "--blocksize=1kb"
        );
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        string[] lines = await File.ReadAllLinesAsync(seen, TestContext.Current.CancellationToken);
        string[] wanted =
        [
            "DUPLICATI__EVENTNAME=BEFORE",
            "DUPLICATI__EVENTNAME=AFTER",
            "DUPLICATI__OPERATIONNAME=Backup",
            "DUPLICATI__REMOTEURL=" + trip.Destination,
            "DUPLICATI__LOCALPATH=" + trip.Source,
            "DUPLICATI__PARSED_RESULT=Success",
            "DUPLICATI__blocksize=1kb",
            "ParsedResult: Success",
        ];
        Assert.All(wanted, line => Assert.Contains(line, lines));
        Assert.DoesNotContain(lines, line => line.Contains("secret", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_program_after_it_is_told_of_a_failure()
    {
        string seen = Path.Join(trip.Folder, "seen");
        CliRun run = await CliRun.OfAsync(
            "delete",
            Path.Join(trip.Folder, "none"),
            "--keep-versions=1",
            "--run-script-after=" + Script($"echo $DUPLICATI__PARSED_RESULT >> {seen}")
        );
        Assert.Equal(ExitCodes.NotFound, run.ExitCode);
        Assert.Equal("Fatal\n", await File.ReadAllTextAsync(seen, TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task A_program_after_it_runs_to_its_end_after_an_interruption()
    {
        string seen = Path.Join(trip.Folder, "seen");
        using CancellationTokenSource stop = new();
        using InterruptingText error = new("begun", stop);
        await CliRun.OfAsync(
            environment => environment with { Clock = TimeProvider.System, StopToken = stop.Token, Error = error },
            "backup",
            trip.Source,
            trip.Destination,
            "--no-encryption",
            "--run-script-before=" + Script("echo LOG:INFO begun"),
            "--run-script-after=" + Script($"sleep 0.2; echo $DUPLICATI__EVENTNAME >> {seen}")
        );
        Assert.True(stop.IsCancellationRequested, error.ToString());
        Assert.Equal("AFTER\n", await File.ReadAllTextAsync(seen, TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Arguments_are_taken_only_if_that_is_said()
    {
        string seen = Path.Join(trip.Folder, "seen");
        string script = Script($"echo \"$2\" > {seen}");
        Assert.Equal(ExitCodes.Failed, (await BackUpAsync($"--run-script-before={script} one 'two three'")).ExitCode);
        Assert.Equal(
            ExitCodes.Complete,
            (await BackUpAsync($"--run-script-before={script} one 'two three'", "--run-script-with-arguments")).ExitCode
        );
        Assert.Equal("two three\n", await File.ReadAllTextAsync(seen, TestContext.Current.CancellationToken));
    }

    [Theory]
    [InlineData("echo --dblock-size=1mb", ExitCodes.Failed, "changes options in Duplicati and not here")]
    [InlineData("echo LOG:WARN the disk is nearly full.", ExitCodes.Complete, "the disk is nearly full\n")]
    [InlineData("echo of errors >&2", ExitCodes.Complete, ": of errors\n")]
    [InlineData("sleep 60 & echo LOG:INFO begun", ExitCodes.Complete, ": begun\n")]
    public async Task What_a_program_prints_is_a_message_or_cannot_be_done(string body, int exitCode, string message)
    {
        CliRun run = await BackUpAsync("--run-script-before=" + Script(body));
        Assert.Equal((exitCode, exitCode == ExitCodes.Complete), (run.ExitCode, IsMade));
        Assert.Contains(message, run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_dry_run_starts_no_program()
    {
        string seen = Path.Join(trip.Folder, "seen");
        CliRun run = await BackUpAsync("--run-script-before=" + Script($"touch {seen}"), "--dry-run");
        Assert.Equal((ExitCodes.Complete, false), (run.ExitCode, File.Exists(seen)));
        Assert.Contains("Dry run: not started: ", run.Error, StringComparison.Ordinal);
    }

    private string Script(string body)
    {
        string path = Path.Join(trip.Folder, $"script{Guid.NewGuid():N}.sh");
        File.WriteAllText(path, $"#!/bin/sh\n{body}\n");
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        }

        return path;
    }

    private Task<CliRun> BackUpAsync(params string[] options) =>
        CliRun.OfAsync(
            environment => environment with { Clock = TimeProvider.System },
            [
                "backup",
                trip.Source,
                trip.Destination,
                .. options.Any(option => option.StartsWith("--passphrase", StringComparison.Ordinal))
                    ? options
                    : [.. options, "--no-encryption"],
            ]
        );
}
