using System.Text.Json;
using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>
/// Commands that a scheduler starts: <c>backup</c>, <c>delete</c> and <c>compact</c> every night.
/// </summary>
public sealed class UnattendedRunTests : IDisposable
{
    private readonly TempFolder folder = new();

    public UnattendedRunTests()
    {
        Directory.CreateDirectory(Source);
        File.WriteAllText(folder.In("source/a.txt"), "a");
    }

    private string Source => folder.In("source");

    private string Place => folder.In("backup");

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task With_quiet_a_night_without_a_loss_prints_nothing()
    {
        foreach (var version in new[] { "a", "bb" })
        {
            await File.WriteAllTextAsync(folder.In("source/a.txt"), version, TestContext.Current.CancellationToken);
            Assert.Equal((0, "", ""), await QuietAsync("backup", Source, Place, "--no-encryption"));
        }

        Assert.Equal((0, "", ""), await QuietAsync("delete", Place, "--keep-versions=1", "--yes"));
        Assert.Equal((0, "", ""), await QuietAsync("compact", Place, "--yes"));
    }

    [Fact]
    public async Task With_quiet_what_is_not_complete_is_printed()
    {
        File.CreateSymbolicLink(folder.In("link"), Source);
        var run = await CliRun.OfAsync("backup", folder.In("link"), Source, Place, "--no-encryption", "--quiet");
        Assert.Equal(ExitCodes.LeftOut, run.ExitCode);
        Assert.Contains("Left out", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_stages_are_for_verbose()
    {
        Assert.DoesNotContain("working", (await BackupAsync()).Output, StringComparison.Ordinal);
        await File.WriteAllTextAsync(folder.In("source/a.txt"), "other", TestContext.Current.CancellationToken);
        Assert.Contains("% of the time", (await BackupAsync("--verbose")).Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("backup")]
    [InlineData("delete")]
    [InlineData("compact")]
    public async Task Each_leaves_a_report_and_metrics(string command)
    {
        await BackupAsync();
        string[] arguments = command switch
        {
            "backup" => ["backup", Source, Place, "--no-encryption", "--upload-unchanged-backups"],
            "delete" => ["delete", Place, "--keep-versions=1", "--yes"],
            _ => ["compact", Place, "--yes"],
        };
        var run = await CliRun.OfAsync([
            .. arguments,
            $"--report={folder.In("r.json")}",
            $"--metrics={folder.In("m.prom")}",
        ]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        using var report = JsonDocument.Parse(
            await File.ReadAllTextAsync(folder.In("r.json"), TestContext.Current.CancellationToken)
        );
        Assert.True(report.RootElement.TryGetProperty("issues", out _));
        var metrics = await File.ReadAllTextAsync(folder.In("m.prom"), TestContext.Current.CancellationToken);
        Assert.Contains($"restore_{command}_success{{backup=\"{Place}\"}} 1\n", metrics, StringComparison.Ordinal);
        Assert.True(
            command != "backup"
                || metrics.Contains($"restore_backup_files{{backup=\"{Place}\"}} 1\n", StringComparison.Ordinal),
            metrics
        );

        await CliRun.OfAsync([.. arguments, $"--report={folder.In("r.txt")}"]);
        Assert.StartsWith(
            "Report of ",
            await File.ReadAllTextAsync(folder.In("r.txt"), TestContext.Current.CancellationToken),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_failure_is_in_the_report_and_the_metrics_too()
    {
        var run = await CliRun.OfAsync(
            "delete",
            folder.In("nothing"),
            "--keep-versions=1",
            "--yes",
            $"--report={folder.In("r.json")}",
            $"--metrics={folder.In("m.prom")}"
        );
        Assert.Equal(ExitCodes.NotFound, run.ExitCode);
        using var report = JsonDocument.Parse(
            await File.ReadAllTextAsync(folder.In("r.json"), TestContext.Current.CancellationToken)
        );
        Assert.True(report.RootElement.GetProperty("failed").GetBoolean());
        Assert.Contains(
            $"restore_delete_exit_code{{backup=\"{folder.In("nothing")}\"}} 5\n",
            await File.ReadAllTextAsync(folder.In("m.prom"), TestContext.Current.CancellationToken),
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("backup", "--dblock-size=200kb", "--no-encryption")]
    [InlineData("delete", "--keep-versions=2", "--retention-policy=7D:1D")]
    public async Task A_wrong_option_of_a_nightly_job_leaves_a_report_and_metrics(
        string command,
        params string[] options
    )
    {
        await BackupAsync();
        string[] operands = command == "backup" ? [Source, Place] : [Place];
        var run = await CliRun.OfAsync([
            command,
            .. operands,
            .. options,
            $"--report={folder.In("r.json")}",
            $"--metrics={folder.In("m.prom")}",
        ]);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        using var report = JsonDocument.Parse(
            await File.ReadAllTextAsync(folder.In("r.json"), TestContext.Current.CancellationToken)
        );
        Assert.True(report.RootElement.GetProperty("failed").GetBoolean());
        Assert.Contains(
            $"restore_{command}_success{{backup=\"{Place}\"}} 0\n",
            await File.ReadAllTextAsync(folder.In("m.prom"), TestContext.Current.CancellationToken),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_page_is_refused_before_anything_is_done()
    {
        var run = await BackupAsync($"--report={folder.In("r.html")}");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.False(Directory.Exists(Place));
    }

    [Fact]
    public async Task A_program_learns_of_the_result()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "A shell script");
        var script = folder.In("notify");
        await File.WriteAllTextAsync(
            script,
            $"#!/bin/sh\necho \"$RESTORE_STATUS $RESTORE_EXIT_CODE $RESTORE_BACKUP $RESTORE_SUMMARY\" >{folder.In("said")}\n",
            TestContext.Current.CancellationToken
        );
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(script, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        }

        var run = await BackupAsync($"--notify-command={script}");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.StartsWith(
            $"complete 0 {Place} Made the version ",
            await File.ReadAllTextAsync(folder.In("said"), TestContext.Current.CancellationToken),
            StringComparison.Ordinal
        );
    }

    private Task<CliRun> BackupAsync(params string[] options) =>
        CliRun.OfAsync(["backup", Source, Place, "--no-encryption", .. options]);

    private static async Task<(int Code, string Output, string Error)> QuietAsync(params string[] arguments)
    {
        var run = await CliRun.OfAsync([.. arguments, "--quiet"]);
        return (run.ExitCode, run.Output, run.Error);
    }
}
