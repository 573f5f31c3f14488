using System.IO.Compression;
using System.Text.Json;

namespace Restore.Tests.Writing;

/// <summary>Another version stores only blocks that the backup lacks.</summary>
public sealed class VersionsTests
{
    [Fact]
    public async Task A_second_version_stores_only_what_is_new()
    {
        using RoundTrip trip = new();
        File.WriteAllBytes(Path.Combine(trip.Source, "stays"), SourceTree.Bytes(new Random(1), 100_000));
        byte[] changing = SourceTree.Bytes(new Random(2), 50 * 1024);
        File.WriteAllBytes(Path.Combine(trip.Source, "changes"), changing);
        SortedDictionary<string, TreeEntry> before = RestoredTree.Read(trip.Source);
        BackupWriterReport first = await trip.WriteAsync();

        changing[30 * 1024] ^= 1;
        File.WriteAllBytes(Path.Combine(trip.Source, "changes"), changing);
        File.SetLastWriteTimeUtc(
            Path.Combine(trip.Source, "changes"),
            new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc)
        );
        BackupWriterReport second = await trip.WriteAsync();

        // One block of the content, its blocklist, and the file's metadata: the folder's time is as
        // it was.
        Assert.Equal(3, second.NewBlocks);
        Assert.True(second.Time > first.Time);
        AssertNoBlockTwice(trip);
        trip.AssertLikeSource(await trip.RestoreAsync(version: 0));
        RoundTrip.AssertSame(before, await trip.RestoreAsync(version: 1));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Versions_of_changing_trees_all_come_back(int seed)
    {
        using RoundTrip trip = new();
        List<SortedDictionary<string, TreeEntry>> trees = [];
        for (int version = 0; version < 3; version++)
        {
            SourceTree.Make(Path.Combine(trip.Source, $"part{version % 2}{seed}{version}"), seed + version, 1024);
            trees.Insert(0, RestoredTree.Read(trip.Source));
            await trip.WriteAsync(trip.Options with { Passphrase = "p" });
        }

        for (int version = 0; version < 3; version++)
        {
            RoundTrip.AssertSame(trees[version], await trip.RestoreAsync(version, "p"));
        }
    }

    [Fact]
    public async Task An_unchanged_source_stores_no_block_at_all()
    {
        using RoundTrip trip = new();
        SourceTree.Make(trip.Source, seed: 11, blockSizeBytes: 1024);
        await trip.WriteAsync();

        BackupWriterReport second = await trip.WriteAsync();

        Assert.Equal((0L, 0), (second.NewBlocks, second.BlockVolumes));
        trip.AssertLikeSource(await trip.RestoreAsync());
    }

    [Fact]
    public async Task What_a_lost_volume_held_is_stored_again()
    {
        using RoundTrip trip = new();
        File.WriteAllBytes(Path.Combine(trip.Source, "a"), SourceTree.Bytes(new Random(1), 10_000));
        BackupWriterReport first = await trip.WriteAsync();
        string lost = trip.VolumesOf("dblock").Single();
        File.Delete(lost);

        BackupWriterReport second = await trip.WriteAsync();

        Assert.Equal(first.NewBlocks, second.NewBlocks);
        RestoreIssue issue = Assert.Single(second.Issues);
        Assert.Equal((IssueKind.Warning, Path.GetFileName(lost)), (issue.Kind, issue.Path));
        Assert.Equal(
            "An index volume describes it, but it is missing or has another size; its blocks are stored again",
            issue.Reason
        );
    }

    [Fact]
    public async Task What_a_damaged_index_lists_is_found_in_its_block_volume()
    {
        using RoundTrip trip = new();
        File.WriteAllBytes(Path.Combine(trip.Source, "a"), SourceTree.Bytes(new Random(1), 10_000));
        await trip.WriteAsync(trip.Options with { Passphrase = "p" });
        string index = trip.VolumesOf("dindex").Single();
        byte[] damaged = File.ReadAllBytes(index);
        damaged[damaged.Length / 2] ^= 1;
        File.WriteAllBytes(index, damaged);

        BackupWriterReport second = await trip.WriteAsync(trip.Options with { Passphrase = "p" });

        // The list of the blocks of the file: no index volume has a copy of it any more.
        Assert.Equal(1, second.NewBlocks);
        Assert.StartsWith(
            "The index volume cannot be used, so its blocks may be stored again: ",
            Assert.Single(second.Issues).Reason,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_backup_of_another_kind_is_refused()
    {
        using RoundTrip trip = new();
        File.WriteAllText(Path.Combine(trip.Source, "a"), "a");
        await trip.WriteAsync();

        RestoreException size = await Assert.ThrowsAsync<RestoreException>(() =>
            trip.WriteAsync(trip.Options with { BlockSizeBytes = 2048 })
        );
        RestoreException encrypted = await Assert.ThrowsAsync<RestoreException>(() =>
            trip.WriteAsync(trip.Options with { Passphrase = "p" })
        );

        Assert.Equal(
            "The destination holds a backup that this version cannot be added to: it has blocks of 1,024 bytes with the hashes SHA256 and SHA256 "
                + $"({trip.Destination})",
            size.Message
        );
        Assert.Equal(
            "The destination holds a backup that this version cannot be added to: its encryption is another than asked for "
                + $"({trip.Destination})",
            encrypted.Message
        );
        Assert.Single(trip.VolumesOf("dlist"));
    }

    [Theory]
    [InlineData(true, RestoreErrorCode.FileListFrozen)]
    [InlineData(false, RestoreErrorCode.FileListRefused)]
    public async Task A_backup_that_cannot_be_read_now_is_not_of_another_kind(bool isArchived, string code)
    {
        using RoundTrip trip = new();
        File.WriteAllText(Path.Combine(trip.Source, "a"), "a");
        await trip.WriteAsync();
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            trip.WriteAsync(
                trip.Options with
                {
                    Destination = "closed://backup",
                    Stores = StoreRegistry.Default.With(new ClosedProvider(trip.Destination, isArchived)),
                }
            )
        );

        Assert.Equal(code, failure.Code);
    }

    [Fact]
    public async Task Another_passphrase_is_refused()
    {
        using RoundTrip trip = new();
        File.WriteAllText(Path.Combine(trip.Source, "a"), "a");
        await trip.WriteAsync(trip.Options with { Passphrase = "one" });

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            trip.WriteAsync(trip.Options with { Passphrase = "other" })
        );

        Assert.Equal(RestoreErrorKind.WrongPassphrase, failure.Kind);
        Assert.Equal(
            $"The passphrase does not open the backup that is in the destination ({trip.Destination})",
            failure.Message
        );
    }

    [Fact]
    public async Task Planted_index_volumes_of_another_passphrase_do_not_stop_the_next_version()
    {
        using RoundTrip trip = new();
        File.WriteAllBytes(Path.Combine(trip.Source, "a"), SourceTree.Bytes(new Random(1), 100_000));
        BackupWriterOptions options = trip.Options with { Passphrase = "p" };
        await trip.WriteAsync(options);
        using RoundTrip other = new();
        File.WriteAllText(Path.Combine(other.Source, "a"), "a");
        await other.WriteAsync(other.Options with { Passphrase = "other" });
        for (int i = 0; i < 4; i++)
        {
            File.Copy(
                other.VolumesOf("dindex").Single(),
                Path.Combine(trip.Destination, $"duplicati-i{i:x32}.dindex.zip.aes")
            );
        }

        BackupWriterReport second = await trip.WriteAsync(options);

        Assert.Equal(0, second.NewBlocks);
        Assert.Equal(4, second.Issues.Count);
        Assert.All(
            second.Issues,
            issue => Assert.StartsWith("The index volume cannot be used", issue.Reason, StringComparison.Ordinal)
        );
    }

    [Fact]
    public async Task A_time_that_is_not_the_newest_is_refused()
    {
        using RoundTrip trip = new();
        File.WriteAllText(Path.Combine(trip.Source, "a"), "a");
        DateTimeOffset time = new(2026, 3, 4, 5, 6, 7, TimeSpan.Zero);
        await trip.WriteAsync(trip.Options with { Time = time.AddMilliseconds(900) });

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            trip.WriteAsync(trip.Options with { Time = time })
        );

        Assert.Equal(
            $"The version cannot have the time 2026-03-04 05:06:07Z, for the newest there is is of 2026-03-04 05:06:07Z "
                + $"({trip.Destination})",
            failure.Message
        );
        Assert.Equal("duplicati-20260304T050607Z.dlist.zip", Path.GetFileName(trip.VolumesOf("dlist").Single()));
    }

    [Fact]
    public async Task Other_prefixes_in_the_folder_are_other_backups()
    {
        using RoundTrip trip = new();
        File.WriteAllText(Path.Combine(trip.Source, "a"), "a");
        BackupWriterReport first = await trip.WriteAsync();

        BackupWriterReport other = await trip.WriteAsync(trip.Options with { Prefix = "other", BlockSizeBytes = 4096 });

        Assert.Equal(first.NewBlocks, other.NewBlocks);
        Assert.Equal(2, trip.VolumesOf("dlist").Count());
    }

    private static void AssertNoBlockTwice(RoundTrip trip)
    {
        List<string> names = [];
        List<string> listed = [];
        foreach (string volume in trip.VolumesOf("dblock"))
        {
            using ZipArchive zip = ZipFile.OpenRead(volume);
            names.AddRange(zip.Entries.Select(entry => entry.FullName).Where(name => name != "manifest"));
        }

        foreach (string volume in trip.VolumesOf("dindex"))
        {
            using ZipArchive zip = ZipFile.OpenRead(volume);
            string described = zip
                .Entries.Single(entry => entry.FullName.StartsWith("vol/", StringComparison.Ordinal))
                .FullName;
            using JsonDocument json = JsonDocument.Parse(Fixtures.ZipEntry(volume, described));
            listed.AddRange(
                json.RootElement.GetProperty("blocks")
                    .EnumerateArray()
                    .Select(block => block.GetProperty("hash").GetString()!.Replace('+', '-').Replace('/', '_'))
            );
        }

        Assert.Equal(names.Count, names.Distinct(StringComparer.Ordinal).Count());
        Assert.Equal(names.Order(StringComparer.Ordinal), listed.Order(StringComparer.Ordinal));
    }

    /// <summary>A folder of which the files are listed, and none can be read.</summary>
    private sealed class ClosedProvider(string folder, bool isArchived) : IStoreProvider
    {
        public string Name => "closed";

        public string Summary => "";

        public IReadOnlyList<string> Schemes => ["closed"];

        public IReadOnlyList<string> Locations => [];

        public IReadOnlyList<StoreOption> Options => [];

        public IVolumeStore Open(StoreContext context)
        {
            ScriptedStore store = ScriptedStore.OfFolder(folder);
            store.BeforeRead = (name, _) =>
                throw new AccessRefusedException($"{name} is refused") { IsArchived = isArchived };
            return store;
        }

        public IVolumeSink OpenSink(StoreContext context) => new Restore.Storage.Local.LocalFolderSink(folder);
    }
}
