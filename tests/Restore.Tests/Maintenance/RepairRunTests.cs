using System.IO.Compression;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Restore.Tests.FixtureTests;
using Restore.Tests.Trust;
using Restore.Tests.Writing;

namespace Restore.Tests.Maintenance;

/// <summary>
/// Whether lists, index volumes and block volumes fit together, and missing index volumes are
/// rebuilt.
/// </summary>
public sealed class RepairRunTests
{
    public static TheoryData<string> Intact() =>
        [.. FixtureCatalog.Readable.Select(backup => backup.Name).Where(name => name != "no-index").Distinct()];

    public static TheoryData<string> Unsound() =>
        [.. FixtureCatalog.Damaged.Concat(FixtureCatalog.Judged).Where(name => name != "hostile/bomb-lists")];

    [Theory]
    [MemberData(nameof(Intact))]
    public async Task A_sound_backup_passes(string fixture)
    {
        foreach (FixtureBackup backup in FixtureCatalog.BackupsOf(fixture))
        {
            await using Backup opened = await Backup.OpenAsync(backup.Location, backup.Options());
            CheckReport report = await opened.Maintenance.CheckAsync();
            Assert.Equal((backup.Versions.Count, 0), (report.Versions, report.LostBlocks));
            Assert.Empty(report.WithoutIndex);
            Assert.True(report.Blocks > 0);
            Assert.DoesNotContain(report.Issues, issue => issue.Kind is IssueKind.Damaged or IssueKind.Missing);
        }
    }

    [Theory]
    [MemberData(nameof(Unsound))]
    public async Task A_check_and_a_database_find_the_same_blocks_lost(string fixture)
    {
        using TempFolder folder = new();
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).First();
        CheckReport report;
        await using Backup opened = await Backup.OpenAsync(backup.Location, backup.Options());
        try
        {
            report = await opened.Maintenance.CheckAsync();
        }
        catch (RestoreException failure)
        {
            Assert.NotEqual(RestoreErrorCode.Unexpected, failure.Code);
            return;
        }

        DatabaseReport database = await opened.Maintenance.WriteDatabaseAsync(Path.Join(folder.Path, "made.sqlite"));

        // A check counts what a damaged list has still; a database is only made of whole lists.
        int damaged = report.Issues.Count(issue =>
            issue.Code is IssueCode.FileListIncomplete or IssueCode.FileListDamaged
        );
        Assert.InRange(database.Versions, report.Versions - damaged, report.Versions);
        Assert.True(report.LostBlocks >= database.LostBlocks, $"{report.LostBlocks} and {database.LostBlocks}");
        Assert.Equal(0, opened.Pool.OutstandingBuffers);
    }

    [Theory]
    [InlineData("plain-1mb")]
    [InlineData("blocklists-1kb")]
    [InlineData("hashes")]
    public async Task New_index_volumes_say_what_those_of_Duplicati_say(string fixture)
    {
        using TempFolder folder = new();
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).Single();
        Copy(backup.Location, folder.Root);
        string[] before = Contents(folder.Root);
        Array.ForEach(Directory.GetFiles(folder.Root, "*.dindex*"), File.Delete);

        await using Backup opened = await Backup.OpenAsync(folder.Root, backup.Options());
        CheckReport report = await opened.Maintenance.RepairAsync(folder.Root);
        Assert.Empty(report.WithoutIndex);
        Assert.Equal(before, Contents(folder.Root));
        Assert.Equal(0, opened.Pool.OutstandingBuffers);
    }

    [Theory]
    [InlineData("no-index")]
    [InlineData("damaged/dindex-missing-plain")]
    [InlineData("damaged/dindex-missing-aes")]
    [InlineData("damaged/dindex-garbage-aes")]
    [InlineData("damaged/dindex-empty-plain")]
    public async Task A_repaired_backup_passes_and_restores_by_its_index_volumes(string fixture)
    {
        using TempFolder folder = new();
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).First();
        Copy(backup.Location, folder.Root);
        string[] before = [.. Directory.GetFiles(folder.Root)];
        await using (Backup opened = await Backup.OpenAsync(folder.Root, backup.Options()))
        {
            CheckReport check = await opened.Maintenance.CheckAsync();
            Assert.NotEmpty(check.WithoutIndex);
            Assert.Equal(before.Order(), Directory.GetFiles(folder.Root).Order());
            CheckReport repair = await opened.Maintenance.RepairAsync(folder.Root);
            Assert.Equal(check.WithoutIndex.Count, repair.IndexVolumesMade.Count);
            Assert.Empty(repair.WithoutIndex);
            Assert.Equal(
                before.Concat(repair.IndexVolumesMade.Select(name => Path.Join(folder.Root, name))).Order(),
                Directory.GetFiles(folder.Root).Order()
            );
        }

        await using Backup repaired = await Backup.OpenAsync(folder.Root, backup.Options());
        CheckReport again = await repaired.Maintenance.RepairAsync(folder.Root);
        Assert.Empty(again.IndexVolumesMade);
        Assert.Empty(again.WithoutIndex);
        RestoreReport drill = await repaired.ExecuteAsync(
            await repaired.PlanDrillAsync(repaired.Versions, new RestoreOptions())
        );
        Assert.DoesNotContain(
            drill.Issues,
            issue => issue.Reason.Contains("No index volume", StringComparison.Ordinal)
        );
        Assert.DoesNotContain(drill.Issues, issue => issue.Kind is IssueKind.Damaged or IssueKind.Missing);
    }

    [Fact]
    public async Task A_block_of_zeros_that_no_volume_has_is_not_lost_and_a_repair_writes_it_for_Duplicati()
    {
        using TempFolder folder = new();
        using MadeBackup made = new();
        byte[] zeros = new byte[made.BlockSizeBytes];
        made.File("/data/zeros", zeros);
        made.File("/data/more", [.. zeros, .. zeros, 1, 2, 3]);
        made.Forget(zeros);
        made.Write();
        for (int repaired = 0; repaired < 2; repaired++)
        {
            await using Backup backup = await Backup.OpenAsync(made.Source);
            CheckReport check = await backup.Maintenance.CheckAsync();
            Assert.Equal(0, check.LostBlocks);
            Assert.Equal(
                1 - repaired,
                check.Issues.Count(issue => issue.Reason.Contains("block of zeros", StringComparison.Ordinal))
            );
            Assert.DoesNotContain(check.Issues, issue => issue.Kind is IssueKind.Damaged or IssueKind.Missing);
            Assert.False((await backup.Maintenance.PlanPurgeAsync()).IsNeeded);
            DatabaseReport database = await backup.Maintenance.WriteDatabaseAsync(
                Path.Join(folder.Path, $"{repaired}.sqlite")
            );
            Assert.Equal(0, database.LostBlocks);
            Assert.DoesNotContain(database.Issues, issue => issue.Kind is IssueKind.Damaged or IssueKind.Missing);
            RestoreReport drill = await backup.ExecuteAsync(
                await backup.PlanDrillAsync(backup.Versions, new RestoreOptions())
            );
            Assert.True(drill.IsComplete, string.Join('\n', drill.Issues));
            CheckReport repair = await backup.Maintenance.RepairAsync(made.Source);
            Assert.Empty(repair.Issues);
            Assert.Equal(2 - (2 * repaired), repair.IndexVolumesMade.Count + repair.BlockVolumesMade.Count);
            Assert.Equal(0, backup.Pool.OutstandingBuffers);
        }
    }

    [Theory]
    [InlineData(null)]
    [InlineData("secret")]
    public async Task Any_changed_byte_of_a_block_volume_is_found_when_volumes_are_read_needed_or_not(
        string? passphrase
    )
    {
        using RoundTrip trip = new();
        for (int i = 0; i < 2; i++)
        {
            byte[] content = new byte[3000];
            new Random(i).NextBytes(content);
            await File.WriteAllBytesAsync(
                Path.Join(trip.Source, "file"),
                content,
                TestContext.Current.CancellationToken
            );
            await trip.WriteAsync(
                trip.Options with
                {
                    Passphrase = passphrase,
                    Time = new DateTimeOffset(2026, 1, 1, i, 0, 0, TimeSpan.Zero),
                }
            );
        }

        string unneeded = trip.VolumesOf("dblock").MaxBy(File.GetLastWriteTimeUtc)!;
        File.Delete(trip.VolumesOf("dlist").Last());
        Assert.Empty(await IssuesAsync());
        foreach (string volume in trip.VolumesOf("dblock"))
        {
            byte[] sound = await File.ReadAllBytesAsync(volume, TestContext.Current.CancellationToken);
            for (int at = 0; at < sound.Length; at += sound.Length / 20)
            {
                byte[] changed = [.. sound];
                changed[at] ^= 0x10;
                await File.WriteAllBytesAsync(volume, changed, TestContext.Current.CancellationToken);
                RestoreIssue issue = Assert.Single(await IssuesAsync());
                Assert.Equal(
                    (Path.GetFileName(volume), volume == unneeded ? IssueKind.Warning : IssueKind.Damaged),
                    (issue.Path, issue.Kind)
                );
                Assert.Contains(
                    volume == unneeded ? "No version needs it" : "Versions need it",
                    issue.Reason,
                    StringComparison.Ordinal
                );
            }

            await File.WriteAllBytesAsync(volume, sound, TestContext.Current.CancellationToken);
        }

        async Task<IReadOnlyList<RestoreIssue>> IssuesAsync()
        {
            await using Backup backup = await Backup.OpenAsync(
                trip.Destination,
                new BackupOptions { Passphrase = passphrase }
            );
            IReadOnlyList<RestoreIssue> issues = (await backup.Maintenance.CheckVolumesAsync()).Issues;
            Assert.Equal(0, backup.Pool.OutstandingBuffers);
            return issues;
        }
    }

    [Fact]
    public async Task A_damaged_block_volume_gets_no_index_volume()
    {
        using TempFolder folder = new();
        FixtureBackup backup = FixtureCatalog.BackupsOf("damaged/dblock-flipped-byte-plain").Single();
        Copy(backup.Location, folder.Root);
        Array.ForEach(Directory.GetFiles(folder.Root, "*.dindex*"), File.Delete);
        await using Backup opened = await Backup.OpenAsync(folder.Root, backup.Options());
        string elsewhere = Path.Join(folder.Path, "new", "volumes");
        CheckReport report = await opened.Maintenance.RepairAsync(elsewhere);

        string damaged = Assert.Single(report.WithoutIndex);
        Assert.Contains(
            report.Issues,
            issue =>
                issue.Path == damaged
                && issue.Reason.Contains("No index volume is made of it", StringComparison.Ordinal)
        );
        Assert.Equal(report.IndexVolumesMade.Order(), Directory.GetFiles(elsewhere).Select(Path.GetFileName).Order());
        Assert.Empty(Directory.GetFiles(folder.Root, "*.dindex*"));
    }

    [Fact]
    public async Task Blocklists_that_decode_to_far_more_than_their_volume_are_not_all_copied()
    {
        // Hashes do not compress: these were made to, and a thousand of them would fill the memory.
        const int BlockBytes = 8 << 20;
        using MadeBackup made = new(BlockBytes);
        JsonObject entry = made.File("/data/long", [1]);
        entry["size"] = 3L * (BlockBytes / 32) * BlockBytes;
        entry["blocklists"] = new JsonArray([
            .. Enumerable.Range(1, 3).Select(i => JsonValue.Create(made.Block([(byte)i, .. new byte[BlockBytes - 1]]))),
        ]);
        made.Write();
        Array.ForEach(Directory.GetFiles(made.Source, "*.dindex*"), File.Delete);

        await using Backup opened = await Backup.OpenAsync(made.Source);
        CheckReport report = await opened.Maintenance.RepairAsync(made.Target);
        using ZipArchive index = ZipFile.OpenRead(Path.Join(made.Target, Assert.Single(report.IndexVolumesMade)));
        Assert.Equal(2, index.Entries.Count(one => one.FullName.StartsWith("list/", StringComparison.Ordinal)));
        Assert.Equal(0, opened.Pool.OutstandingBuffers);
    }

    [Fact]
    public async Task Blocks_that_only_an_index_volume_claims_do_not_fill_the_memory()
    {
        const int Claimed = 200_000;
        using MadeBackup made = new();
        made.File("/data/small", [1, 2, 3]);
        made.Write();
        string blocks = string.Join(
            ',',
            Enumerable
                .Range(0, Claimed)
                .Select(i => $$"""{"hash":"{{MadeBackup.Hash(BitConverter.GetBytes(i))}}","size":4}""")
        );
        string volume = Path.GetFileName(Assert.Single(Directory.GetFiles(made.Source, "*.dblock*")));
        made.WriteArchive(
            $"duplicati-i{new string('3', 32)}.dindex.zip",
            [("vol/" + volume, Encoding.UTF8.GetBytes($$"""{"blocks":[{{blocks}}]}"""))]
        );

        await using Backup opened = await Backup.OpenAsync(made.Source);
        CheckReport report = await opened.Maintenance.CheckAsync();
        Assert.InRange(report.UnusedBlocks, 1, Claimed - 1);
        Assert.Contains(
            report.Issues,
            issue =>
                issue.Kind == IssueKind.Damaged && issue.Reason.Contains("more blocks than", StringComparison.Ordinal)
        );
    }

    [Fact]
    public async Task A_folder_that_cannot_be_written_is_one_sentence()
    {
        using TempFolder folder = new();
        FixtureBackup backup = FixtureCatalog.BackupsOf("no-index").First();
        string file = Path.Join(folder.Path, "file");
        File.WriteAllText(file, "");
        await using Backup opened = await Backup.OpenAsync(backup.Location, backup.Options());
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            opened.Maintenance.RepairAsync(Path.Join(file, "below"))
        );
        Assert.Equal(RestoreErrorCode.DestinationNotWritable, failure.Code);
    }

    private static void Copy(string from, string to)
    {
        Directory.CreateDirectory(to);
        Array.ForEach(Directory.GetFiles(from), file => File.Copy(file, Path.Join(to, Path.GetFileName(file))));
    }

    /// <summary>
    /// What the index volumes of a folder say: a line for each entry, with the blocks of a volume
    /// in the order of their hashes.
    /// </summary>
    private static string[] Contents(string folder)
    {
        List<string> lines = [];
        foreach (string index in Directory.GetFiles(folder, "*.dindex.zip"))
        {
            using ZipArchive archive = ZipFile.OpenRead(index);
            foreach (ZipArchiveEntry entry in archive.Entries.Where(entry => entry.FullName != "manifest"))
            {
                using Stream stream = entry.Open();
                using MemoryStream content = new();
                stream.CopyTo(content);
                lines.Add(
                    entry.FullName
                        + " "
                        + (
                            entry.FullName.StartsWith("vol/", StringComparison.Ordinal)
                                ? Volume(content.ToArray())
                                : Convert.ToBase64String(content.ToArray())
                        )
                );
            }
        }

        return [.. lines.Order(StringComparer.Ordinal)];
    }

    private static string Volume(byte[] json)
    {
        using JsonDocument document = JsonDocument.Parse(json.AsMemory(json.AsSpan().StartsWith("\uFEFF"u8) ? 3 : 0));
        IEnumerable<string> blocks = document
            .RootElement.GetProperty("blocks")
            .EnumerateArray()
            .Select(block => $"{block.GetProperty("hash")}:{block.GetProperty("size")}")
            .Order(StringComparer.Ordinal);
        return $"{document.RootElement.GetProperty("volumehash")} {document.RootElement.GetProperty("volumesize")} {string.Join(' ', blocks)}";
    }
}
