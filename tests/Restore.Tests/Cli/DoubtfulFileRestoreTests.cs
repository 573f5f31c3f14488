using System.Text.Json;
using Restore.Cli;
using Restore.Tests.Support;

namespace Restore.Tests.Cli;

/// <summary>
/// The last good content of files that look replaced in a version that is not suspect, and histories
/// with more changes than can be held.
/// </summary>
public sealed class DoubtfulFileRestoreTests : IDisposable
{
    private readonly AttackedBackup backup = new();

    public void Dispose() => backup.Dispose();

    [Fact]
    public async Task A_file_that_became_empty_is_restored_with_its_content()
    {
        var good = await LiveAsync();
        await File.WriteAllBytesAsync(Path.Combine(backup.Source, "docs", "f4.odt"), []);
        await backup.BackUpAsync();
        var assessed = await CliRun.OfAsync("assess", backup.Store, "--json");
        Assert.True(assessed.ExitCode == ExitCodes.Complete, assessed.Error);
        var newest = JsonDocument.Parse(assessed.Output).RootElement.GetProperty("versions")[0];
        Assert.Equal("good", newest.GetProperty("verdict").GetString());
        Assert.Contains("1 file looks", newest.GetProperty("reasons").ToString(), StringComparison.Ordinal);
        var run = await CliRun.OfAsync(backup.Store, "--last-good", "-t", backup.Target);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Equal(good, AttackedBackup.Hashes(backup.Target));
    }

    [Fact]
    public async Task Of_a_history_with_too_many_changes_the_newer_versions_are_assessed()
    {
        await LiveAsync();
        await backup.BackUpAsync();
        await using var opened = await Backup.OpenAsync(backup.Store, new BackupOptions());
        var all = await opened.AssessAsync();
        Assert.DoesNotContain("left out", all.Examined, StringComparison.Ordinal);
        var few = await opened.AssessAsync(new AssessOptions { MaxChanges = 21 });
        Assert.Equal(2, few.Versions.Count);
        Assert.Equal([0, 1], few.Versions.Select(version => version.Index));
        Assert.Contains($"the oldest {all.Versions.Count - 2} ver", few.Examined, StringComparison.Ordinal);
    }

    /// <summary>Some days without an accident.</summary>
    private async Task<Dictionary<string, string>> LiveAsync()
    {
        backup.Begin();
        for (var day = 0; day < 4; day++)
        {
            await File.WriteAllTextAsync(Path.Combine(backup.Source, "docs", "diary.txt"), new string('x', 100 + day));
            await backup.BackUpAsync();
        }

        return AttackedBackup.Hashes(backup.Source);
    }
}
