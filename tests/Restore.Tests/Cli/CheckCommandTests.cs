using System.Text.Json;
using Restore.Cli;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Cli;

/// <summary>Check and repair by the program.</summary>
public sealed class CheckCommandTests
{
    [Fact]
    public async Task A_sound_backup_ends_with_0_and_a_lost_volume_with_2()
    {
        var sound = await CliRun.OfAsync("check", Fixtures.Backup("plain-1mb"));
        Assert.Equal(ExitCodes.Complete, sound.ExitCode);
        Assert.Contains("Checked 3 versions, 3 index volumes and 3 block volumes", sound.Output, StringComparison.Ordinal);

        var lost = await CliRun.OfAsync("check", FixtureCatalog.BackupsOf("damaged/dblock-missing-plain").Single().Location);
        Assert.Equal(ExitCodes.Incomplete, lost.ExitCode);
        Assert.Contains("blocks that entries need are in no volume", lost.Output, StringComparison.Ordinal);
        Assert.Contains("'restore verify --all-versions' names the entries", lost.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_block_volume_that_was_cut_ends_with_2()
    {
        var cut = await CliRun.OfAsync("check", FixtureCatalog.BackupsOf("damaged/dblock-truncated-plain").Single().Location);
        Assert.Equal(ExitCodes.Incomplete, cut.ExitCode);
        Assert.Contains("does not have the length that its index volume gives", cut.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_repair_writes_where_it_is_told_and_says_what()
    {
        using var folder = new TempFolder();
        var backup = FixtureCatalog.BackupsOf("no-index").First();
        var check = await CliRun.OfAsync("check", backup.Location);
        Assert.Equal(ExitCodes.Incomplete, check.ExitCode);
        Assert.Contains("'restore repair' makes it if it can", check.Output, StringComparison.Ordinal);

        var run = await CliRun.OfAsync("repair", backup.Location, $"--index-folder={folder.Root}", "--json");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        using var json = JsonDocument.Parse(run.Output);
        var made = json.RootElement.GetProperty("indexVolumesMade").EnumerateArray().Select(name => name.GetString()).Order();
        Assert.Equal(Directory.GetFiles(folder.Root).Select(Path.GetFileName).Order(), made);
    }
}
