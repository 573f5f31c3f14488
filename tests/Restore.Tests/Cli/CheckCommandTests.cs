using System.Text.Json;
using Restore.Cli;
using Restore.Tests.FixtureTests;
using Restore.Tests.Maintenance.Keeping;

namespace Restore.Tests.Cli;

/// <summary>Check and repair by the program.</summary>
public sealed class CheckCommandTests
{
    [Fact]
    public async Task A_sound_backup_ends_with_0_and_a_lost_volume_with_2()
    {
        var sound = await CliRun.OfAsync("check", Fixtures.Backup("plain-1mb"));
        Assert.Equal(ExitCodes.Complete, sound.ExitCode);
        Assert.Contains(
            "Checked 3 versions, 3 index volumes and 3 block volumes",
            sound.Output,
            StringComparison.Ordinal
        );

        var lost = await CliRun.OfAsync(
            "check",
            FixtureCatalog.BackupsOf("damaged/dblock-missing-plain").Single().Location
        );
        Assert.Equal(ExitCodes.Incomplete, lost.ExitCode);
        Assert.Contains("blocks that entries need are in no volume", lost.Output, StringComparison.Ordinal);
        Assert.Contains("'restore verify --all-versions' names the entries", lost.Output, StringComparison.Ordinal);
        Assert.Contains(
            "'restore repair --purge-broken-files' leaves those out of the lists",
            lost.Output,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_block_volume_that_was_cut_ends_with_2()
    {
        var cut = await CliRun.OfAsync(
            "check",
            FixtureCatalog.BackupsOf("damaged/dblock-truncated-plain").Single().Location
        );
        Assert.Equal(ExitCodes.Incomplete, cut.ExitCode);
        Assert.Contains("does not have the length that its index volume gives", cut.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_changed_volume_ends_with_2_when_volumes_are_read()
    {
        var backup = FixtureCatalog.BackupsOf("damaged/dblock-flipped-byte-plain").Single();
        var unread = await CliRun.OfAsync("check", backup.Location);
        Assert.Equal(ExitCodes.Complete, unread.ExitCode);
        Assert.EndsWith(
            "  Complete  lists and volumes fit together; contents were not read: 'restore verify --all-versions' reads them\n",
            unread.Output,
            StringComparison.Ordinal
        );
        var read = await CliRun.OfAsync("check", backup.Location, "--read-volumes");
        Assert.Equal(ExitCodes.Incomplete, read.ExitCode);
        Assert.Contains("does not have the hash that its index volume gives", read.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_repair_writes_where_it_is_reported_and_says_what()
    {
        using var folder = new TempFolder();
        var backup = FixtureCatalog.BackupsOf("no-index").First();
        var check = await CliRun.OfAsync("check", backup.Location);
        Assert.Equal(ExitCodes.Complete, check.ExitCode);
        Assert.Contains("'restore repair' makes it if it can", check.Output, StringComparison.Ordinal);
        Assert.Contains("  Complete  lists and volumes fit together", check.Output, StringComparison.Ordinal);
        var dry = await CliRun.OfAsync("repair", backup.Location, "--dry-run");
        Assert.Equal(ExitCodes.Complete, dry.ExitCode);
        Assert.Contains(
            "no index volume: without --dry-run it is made, if the blocks can be read:\n",
            dry.Output,
            StringComparison.Ordinal
        );

        var run = await CliRun.OfAsync("repair", backup.Location, $"--index-folder={folder.Root}", "--json");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        using var json = JsonDocument.Parse(run.Output);
        var made = json
            .RootElement.GetProperty("indexVolumesMade")
            .EnumerateArray()
            .Select(name => name.GetString())
            .Order();
        Assert.Equal(Directory.GetFiles(folder.Root).Select(Path.GetFileName).Order(), made);
    }

    [Fact]
    public async Task A_purge_shows_what_goes_asks_and_says_which_lists_are_new()
    {
        using var kept = await KeptBackup.WriteAsync(41, versions: 2);
        PurgeRunTests.Lose(kept.Location, volumes: 1);
        var before = Directory.GetFiles(kept.Location).Order().ToArray();
        var dry = await CliRun.OfAsync("repair", kept.Location, "--purge-broken-files", "--dry-run");
        Assert.Equal(ExitCodes.Incomplete, dry.ExitCode);
        Assert.Contains(" are in no volume\n", dry.Output, StringComparison.Ordinal);
        Assert.Contains(" entries go, ", dry.Output, StringComparison.Ordinal);
        Assert.Contains("/file ", dry.Output, StringComparison.Ordinal);

        var refused = await CliRun.OfAsync("repair", kept.Location, "--purge-broken-files");
        Assert.Equal(ExitCodes.Usage, refused.ExitCode);
        Assert.Contains(" would be replaced in ", refused.Error, StringComparison.Ordinal);
        var immutable = await CliRun.OfAsync("repair", kept.Location, "--purge-broken-files", "--yes", "--immutable");
        Assert.Equal(ExitCodes.TargetNotWritable, immutable.ExitCode);
        Assert.Contains("Nothing can be deleted there", immutable.Error, StringComparison.Ordinal);
        var both = await CliRun.OfAsync(
            "repair",
            kept.Location,
            "--purge-broken-files",
            $"--index-folder={kept.Folder}"
        );
        Assert.StartsWith("--purge-broken-files makes no index volumes", both.Error, StringComparison.Ordinal);
        Assert.Equal(before, Directory.GetFiles(kept.Location).Order());

        var run = await CliRun.OfAsync("repair", kept.Location, "--purge-broken-files", "--yes", "--json");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        using var json = JsonDocument.Parse(run.Output);
        var versions = json.RootElement.GetProperty("versions").EnumerateArray().ToArray();
        Assert.All(
            versions,
            version =>
                Assert.True(File.Exists(Path.Join(kept.Location, version.GetProperty("newFileList").GetString())))
        );
        Assert.All(
            versions,
            version => Assert.False(File.Exists(Path.Join(kept.Location, version.GetProperty("fileList").GetString())))
        );
        var whole = await CliRun.OfAsync("verify", kept.Location, "--all-versions");
        Assert.True(whole.ExitCode == ExitCodes.Complete, whole.Output + whole.Error);
        var again = await CliRun.OfAsync("repair", kept.Location, "--purge-broken-files", "--yes");
        Assert.StartsWith("No version has an entry to leave out; ", again.Output, StringComparison.Ordinal);
    }
}
