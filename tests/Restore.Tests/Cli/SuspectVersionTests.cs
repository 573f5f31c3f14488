using System.Text.Json;
using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>A version that looks like one after an attack, at the time of the backup.</summary>
public sealed class SuspectVersionTests : IDisposable
{
    private readonly TempFolder folder = new();
    private readonly Random chance = new(7);

    private string Source => folder.In("source");

    private string Place => folder.In("backup");

    private string Database => folder.In("job.sqlite");

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task It_has_an_exit_code_and_the_report_the_metrics_and_one_json_object_say_so()
    {
        await LiveAndEncryptAsync();
        var run = await BackupAsync(
            "--json",
            $"--dbpath={Database}",
            $"--report={folder.In("r.json")}",
            $"--metrics={folder.In("m.prom")}"
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
        Assert.Contains($"restore_version_suspect{{backup=\"{Place}\"}} 1\n", metrics, StringComparison.Ordinal);
        Assert.Contains($"restore_backup_exit_code{{backup=\"{Place}\"}} 19\n", metrics, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_link_that_was_left_out_does_not_hide_it()
    {
        await LiveAndEncryptAsync();
        Directory.CreateSymbolicLink(folder.In("link"), Source);
        var run = await CliRun.OfAsync("backup", folder.In("link"), Source, Place, "--no-encryption");
        Assert.True(run.ExitCode == ExitCodes.Suspect, run.Output + run.Error);
        Assert.Contains("The new version is suspect", run.Error, StringComparison.Ordinal);
    }

    private async Task LiveAndEncryptAsync()
    {
        for (var i = 0; i < 20; i++)
        {
            Write(i % 2 == 0 ? $"docs/f{i}.odt" : $"pictures/f{i}.jpg", 500 + chance.Next(9000));
        }

        for (var version = 0; version < 3; version++)
        {
            Write($"docs/new{version}.odt", 3000);
            var run = await BackupAsync("--skip-assessment", $"--dbpath={Database}");
            Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        }

        foreach (var file in Directory.GetFiles(Source, "*", SearchOption.AllDirectories))
        {
            Write(Path.GetRelativePath(Source, file) + ".locked", (int)new FileInfo(file).Length + 256);
            File.Delete(file);
        }
    }

    private void Write(string name, int length)
    {
        var path = Path.Combine(Source, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        var content = new byte[length];
        chance.NextBytes(content);
        File.WriteAllBytes(path, content);
    }

    private Task<CliRun> BackupAsync(params string[] options) =>
        CliRun.OfAsync(["backup", Source, Place, "--no-encryption", .. options]);

    private Task<string> ReadAsync(string name) =>
        File.ReadAllTextAsync(folder.In(name), TestContext.Current.CancellationToken);
}
