using System.Text.Json;
using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>A version that looks like one after an attack, at the time of the backup.</summary>
public sealed class SuspectVersionTests : IDisposable
{
    private readonly AttackedBackup backup = new();

    private string Database => In("job.sqlite");

    public void Dispose() => backup.Dispose();

    [Fact]
    public async Task It_has_an_exit_code_and_the_report_the_metrics_and_one_json_object_say_so()
    {
        await LiveAndEncryptAsync();
        var run = await BackupAsync(
            "--json",
            $"--dbpath={Database}",
            $"--report={In("r.json")}",
            $"--metrics={In("m.prom")}"
        );
        Assert.True(run.ExitCode == ExitCodes.Suspect, run.Output + run.Error);
        foreach (var text in new[] { run.Output, await ReadAsync("r.json") })
        {
            using var said = JsonDocument.Parse(text);
            Assert.True(said.RootElement.GetProperty("suspect").GetBoolean());
            Assert.Equal(ExitCodes.Suspect, said.RootElement.GetProperty("exitCode").GetInt32());
            Assert.NotEqual(0, said.RootElement.GetProperty("files").GetInt64());
            Assert.True(said.RootElement.GetProperty("database").GetProperty("changed").GetBoolean());
        }

        var metrics = await ReadAsync("m.prom");
        Assert.Contains($"restore_version_suspect{{backup=\"{backup.Store}\"}} 1\n", metrics, StringComparison.Ordinal);
        Assert.Contains(
            $"restore_backup_exit_code{{backup=\"{backup.Store}\"}} 19\n",
            metrics,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_link_that_was_left_out_does_not_hide_it()
    {
        await LiveAndEncryptAsync();
        Directory.CreateSymbolicLink(In("link"), backup.Source);
        var run = await CliRun.OfAsync("backup", In("link"), backup.Source, backup.Store, "--no-encryption");
        Assert.True(run.ExitCode == ExitCodes.Suspect, run.Output + run.Error);
        Assert.Contains("The new version is suspect", run.Error, StringComparison.Ordinal);
    }

    private async Task LiveAndEncryptAsync()
    {
        backup.Begin();
        for (var version = 0; version < 3; version++)
        {
            backup.Write($"docs/new{version}.odt", 3000);
            var run = await BackupAsync("--skip-assessment", $"--dbpath={Database}");
            Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        }

        backup.Encrypt();
    }

    private string In(string name) => Path.Combine(backup.Folder, name);

    private Task<CliRun> BackupAsync(params string[] options) =>
        CliRun.OfAsync(["backup", backup.Source, backup.Store, "--no-encryption", .. options]);

    private Task<string> ReadAsync(string name) =>
        File.ReadAllTextAsync(In(name), TestContext.Current.CancellationToken);
}
