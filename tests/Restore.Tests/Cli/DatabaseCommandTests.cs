using System.Text.Json;
using Restore.Cli;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Cli;

/// <summary>A local database that the program rebuilds.</summary>
public sealed class DatabaseCommandTests
{
    private static readonly FixtureBackup Backup = FixtureCatalog.BackupsOf("plain-1mb").Single();

    [Fact]
    public async Task The_database_is_written_and_a_restore_takes_it()
    {
        using var folder = new TempFolder();
        var file = Path.Join(folder.Path, "made.sqlite");
        var made = await CliRun.OfAsync("database", Backup.Location, $"--output={file}");
        Assert.Equal(ExitCodes.Complete, made.ExitCode);
        Assert.Contains("Made the database of 3 versions", made.Output, StringComparison.Ordinal);
        var drill = await CliRun.OfAsync("verify", Backup.Location, $"--dbpath={file}", "--all-versions");
        Assert.Equal(ExitCodes.Complete, drill.ExitCode);

        var again = await CliRun.OfAsync("database", Backup.Location, $"--output={file}");
        Assert.Equal(ExitCodes.Usage, again.ExitCode);
        Assert.Contains("The output exists already", again.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Losses_end_with_exit_code_2_and_are_in_the_JSON()
    {
        using var folder = new TempFolder();
        var damaged = FixtureCatalog.BackupsOf("damaged/dblock-missing-plain").Single();
        var run = await CliRun.OfAsync("database", damaged.Location, $"--output={folder.Path}/made.sqlite", "--json");
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        using var json = JsonDocument.Parse(run.Output);
        Assert.False(json.RootElement.GetProperty("complete").GetBoolean());
        Assert.True(json.RootElement.GetProperty("lostBlocks").GetInt64() > 0);
        Assert.NotEqual(0, json.RootElement.GetProperty("issues").GetArrayLength());
    }

    [Fact]
    public async Task Without_a_file_or_with_a_database_to_read_nothing_is_written()
    {
        using var folder = new TempFolder();
        Assert.Equal(ExitCodes.Usage, (await CliRun.OfAsync("database", Backup.Location)).ExitCode);
        var run = await CliRun.OfAsync(
            "database",
            Backup.Location,
            $"--output={folder.Path}/made.sqlite",
            "--dbpath=/no/such"
        );
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Empty(Directory.EnumerateFileSystemEntries(folder.Path));
    }
}
