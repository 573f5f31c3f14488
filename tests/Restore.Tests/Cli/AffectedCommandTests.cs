using System.Text.Json;
using Restore.Cli;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Cli;

/// <summary>What depends on volumes: the same as what a drill loses once they are gone.</summary>
public sealed class AffectedCommandTests : IDisposable
{
    private readonly TempFolder folder = new();

    [Theory]
    [InlineData("blocklists-1kb")]
    [InlineData("compacted")]
    [InlineData("no-index")]
    [InlineData("lookup-index")]
    [InlineData("aes-100kb")]
    [InlineData("damaged/dblock-missing-plain")]
    public async Task It_is_what_drills_lose_without_a_volume_and_not_with_it(string fixture)
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).First();
        string[] volumes =
        [
            .. Directory
                .GetFiles(backup.Location)
                .Where(file => !file.Contains(".dlist.", StringComparison.Ordinal))
                .Order()
                .Take(8),
        ];
        string[] before = await LossesAsync(backup.Location, backup.Options());
        await using Backup opened = await Backup.OpenAsync(backup.Location, backup.Options());
        bool isAnyLost = false;
        foreach (string volume in volumes)
        {
            string copy = CopyWithout(backup.Location, [volume]);
            AffectedReport report = await opened.FindAffectedAsync([volume]);
            string[] lost = [.. (await LossesAsync(copy, backup.Options())).Except(before)];
            Assert.Equal(lost.AsEnumerable(), Texts(report.Issues).Except(before));
            Assert.True(Assert.Single(report.Volumes).IsInStore);
            isAnyLost |= lost.Length > 0;
            Assert.True(lost.Length == 0 || volume.Contains(".dblock.", StringComparison.Ordinal));
        }

        Assert.True(isAnyLost);
    }

    [Fact]
    public async Task A_volume_and_its_index_can_lose_more_than_the_volume_alone()
    {
        string location = Fixtures.Backup("blocklists-1kb");
        await using Backup backup = await Backup.OpenAsync(location);
        string[] volumes =
        [
            .. Directory.GetFiles(location).Where(file => !file.Contains(".dlist.", StringComparison.Ordinal)),
        ];
        string[] all = Texts((await backup.FindAffectedAsync(volumes)).Issues);
        Assert.Equal(await LossesAsync(CopyWithout(location, volumes), new BackupOptions()), all);
    }

    [Fact]
    public async Task It_names_the_files_the_versions_and_the_volume()
    {
        SourceFolder source = await ThreeVersionsAsync();
        string volume = Path.GetFileName(VolumesOf(source, "dblock").OrderBy(File.GetLastWriteTimeUtc).First());
        CliRun run = await CliRun.OfAsync("affected", source.Store, volume);
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.StartsWith("Without 1 volume, in 3 versions, ", run.Output, StringComparison.Ordinal);
        Assert.Contains($"  Volume    {volume}\n            In the store; ", run.Output, StringComparison.Ordinal);
        Assert.Contains(
            $"/kept\n            All of its 4 bytes are lost\n            In versions 0 to 2\n",
            run.Output,
            StringComparison.Ordinal
        );
        Assert.Contains(
            $"/changed\n            All of its 5 bytes are lost\n            In version 2\n",
            run.Output,
            StringComparison.Ordinal
        );
        Assert.EndsWith(
            "  Back      with a sound copy of each volume, everything\n",
            run.Output,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_volume_that_is_gone_is_known_by_its_index_volume()
    {
        SourceFolder source = await ThreeVersionsAsync();
        string volume = VolumesOf(source, "dblock").OrderBy(File.GetLastWriteTimeUtc).First();
        File.Delete(volume);
        JsonElement report = await JsonAsync(source.Store, volume);
        JsonElement only = report.GetProperty("volumes")[0];
        Assert.Equal(
            (Path.GetFileName(volume), false),
            (only.GetProperty("name").GetString(), only.GetProperty("inStore").GetBoolean())
        );
        Assert.True(only.GetProperty("entries").GetInt64() >= 2);
        Assert.Equal(2, report.GetProperty("exitCode").GetInt32());
    }

    [Fact]
    public async Task A_file_list_is_a_version_and_an_index_volume_alone_costs_nothing()
    {
        SourceFolder source = await ThreeVersionsAsync();
        string[] lists = [.. VolumesOf(source, "dlist").Order()];
        JsonElement middle = (await JsonAsync(source.Store, lists[1])).GetProperty("lostVersions")[0];
        Assert.Equal((1, 2, 1), (Number(middle, "version"), Number(middle, "files"), Number(middle, "filesOnlyThere")));
        JsonElement all = await JsonAsync(source.Store, lists);
        Assert.Equal(
            [2, 2, 2],
            all.GetProperty("lostVersions").EnumerateArray().Select(version => Number(version, "filesOnlyThere"))
        );
        Assert.Empty(all.GetProperty("issues").EnumerateArray());

        CliRun list = await CliRun.OfAsync("affected", source.Store, lists[1]);
        Assert.Equal(ExitCodes.Incomplete, list.ExitCode);
        Assert.Contains("In the store; the list of a version\n", list.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("Complete", list.Output, StringComparison.Ordinal);
        Assert.EndsWith(
            "  Back      with a sound copy of each volume, everything\n",
            list.Output,
            StringComparison.Ordinal
        );

        CliRun run = await CliRun.OfAsync(["affected", source.Store, .. VolumesOf(source, "dindex")]);
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Contains("no entry loses data", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task It_says_that_a_parity_file_may_help()
    {
        SourceFolder source = await ThreeVersionsAsync();
        string volume = VolumesOf(source, "dblock")[0];
        await File.WriteAllTextAsync(volume + ".par2", "parity");
        CliRun run = await CliRun.OfAsync("affected", source.Store, volume);
        Assert.Contains("Its parity file may repair or rebuild it", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_name_that_is_not_of_the_backup_is_an_error_with_similar_names()
    {
        SourceFolder source = await ThreeVersionsAsync();
        string volume = Path.GetFileName(VolumesOf(source, "dblock")[0]);
        CliRun run = await CliRun.OfAsync(
            "affected",
            source.Store,
            volume.Replace("dblock", "dblokc", StringComparison.Ordinal)
        );
        Assert.Equal(ExitCodes.NotFound, run.ExitCode);
        Assert.Contains($"; similar names: {volume}", run.Error, StringComparison.Ordinal);
        string other = "duplicati-b00000000000000000000000000000000.dblock.zip";
        Assert.Equal(ExitCodes.NotFound, (await CliRun.OfAsync("affected", source.Store, volume, other)).ExitCode);
        Assert.Equal(ExitCodes.NotFound, (await CliRun.OfAsync("affected", source.Store, "")).ExitCode);
        Assert.Equal(ExitCodes.Usage, (await CliRun.OfAsync("affected", source.Store)).ExitCode);
    }

    public void Dispose() => folder.Dispose();

    private static int Number(JsonElement json, string name) => json.GetProperty(name).GetInt32();

    private static string[] VolumesOf(SourceFolder source, string kind) =>
        Directory.GetFiles(source.Store, $"*.{kind}.*");

    private static string[] Texts(IEnumerable<RestoreIssue> issues) =>
        [
            .. issues
                .Where(issue => issue.Kind is IssueKind.Damaged or IssueKind.Missing || issue.MetadataLost)
                .Select(issue =>
                    $"{issue.Path} {issue.Versions} {string.Join(' ', issue.LostRanges)} {issue.MetadataLost}"
                )
                .Order(StringComparer.Ordinal),
        ];

    private static async Task<string[]> LossesAsync(string location, BackupOptions options)
    {
        await using Backup backup = await Backup.OpenAsync(location, options);
        RestorePlan plan = await backup.PlanDrillAsync(backup.Versions, new RestoreOptions());
        return Texts((await backup.ExecuteAsync(plan)).Issues);
    }

    private static async Task<JsonElement> JsonAsync(string store, params string[] volumes)
    {
        CliRun run = await CliRun.OfAsync(["affected", store, .. volumes, "--json"]);
        using JsonDocument json = JsonDocument.Parse(run.Output);
        return json.RootElement.Clone();
    }

    private string CopyWithout(string backup, string[] gone)
    {
        string copy = Directory.CreateDirectory(Path.Combine(folder.Path, Guid.NewGuid().ToString("N"))).FullName;
        foreach (string file in Directory.GetFiles(backup).Where(file => !gone.Contains(file)))
        {
            File.CreateSymbolicLink(Path.Combine(copy, Path.GetFileName(file)), file);
        }

        return copy;
    }

    /// <summary>One file that stays and one that changes.</summary>
    private async Task<SourceFolder> ThreeVersionsAsync()
    {
        SourceFolder source = new(folder);
        source.Write("kept", "kept", DateTime.UnixEpoch);
        for (int day = 0; day < 3; day++)
        {
            source.Write("changed", $"day {day}", DateTime.UnixEpoch.AddDays(day));
            await source.BackUpAsync(day);
        }

        return source;
    }
}
