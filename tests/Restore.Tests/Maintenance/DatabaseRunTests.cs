using System.IO.Compression;
using Restore.Maintenance.Database;
using Restore.Tests.FixtureTests;
using Restore.Tests.Writing;

namespace Restore.Tests.Maintenance;

/// <summary>Rebuilt local databases: like Duplicati's own, and good for a restore.</summary>
public sealed class DatabaseRunTests
{
    public static TheoryData<string> Intact() => [.. FixtureCatalog.Readable.Select(backup => backup.Name).Distinct()];

    /// <summary>Without the one whose lists take long to read, as restores read them too.</summary>
    public static TheoryData<string> Unsound() =>
        [.. FixtureCatalog.Damaged.Concat(FixtureCatalog.Judged).Where(name => name != "hostile/bomb-lists")];

    /// <summary>
    /// One that Duplicati recreated, and one of a job, which has the exact times of files.
    /// </summary>
    [Theory]
    [InlineData("with-database-recreated", true)]
    [InlineData("with-database", false)]
    public async Task It_has_the_rows_of_the_one_that_Duplicati_made(string fixture, bool isRecreated)
    {
        using TempFolder folder = new();
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).Single();
        string real = Path.Join(backup.Folder, "database", "backup.sqlite");
        string copy = Path.Join(folder.Path, "real.sqlite");
        File.Copy(real, copy);
        (string made, DatabaseReport report) = await MakeAsync(backup, folder);

        Assert.Empty(report.Issues);
        Assert.All(
            DatabaseRows.Queries,
            table =>
                Assert.Equal(
                    [table.Key, .. DatabaseRows.Of(copy, table.Value)],
                    [table.Key, .. DatabaseRows.Of(made, table.Value)]
                )
        );
        Assert.Equal(
            DatabaseRows.Of(copy, DatabaseRows.Entries(isRecreated)),
            DatabaseRows.Of(made, DatabaseRows.Entries(isRecreated))
        );
        Assert.NotEmpty(DatabaseRows.Of(made, DatabaseRows.Entries(true)));
        if (isRecreated)
        {
            Assert.Equal(
                DatabaseRows.Of(copy, "SELECT ID, Description FROM Operation"),
                DatabaseRows.Of(made, "SELECT ID, Description FROM Operation")
            );
        }
    }

    [Theory]
    [InlineData("with-database-recreated")]
    [InlineData("with-database")]
    public void A_passphrase_leaves_the_mark_that_Duplicati_makes_of_it(string fixture)
    {
        using TempFolder folder = new();
        string copy = Path.Join(folder.Path, "real.sqlite");
        File.Copy(Path.Join(Fixtures.Folder(fixture), "database", "backup.sqlite"), copy);
        string salt = DatabaseRows.Of(copy, "SELECT Value FROM Configuration WHERE Key = 'passphrase-salt'").Single();
        string mark = DatabaseRows.Of(copy, "SELECT Value FROM Configuration WHERE Key = 'passphrase'").Single();

        Assert.Equal(mark, PassphraseMark.Of("correct horse", salt));
        Assert.NotEqual(mark, PassphraseMark.Of("correct hors", salt));
        Assert.Matches("^v1:[0-9A-F]{64}$", PassphraseMark.NewSalt());
    }

    [Theory]
    [MemberData(nameof(Intact))]
    public async Task Every_version_restores_with_it(string fixture)
    {
        foreach (FixtureBackup backup in FixtureCatalog.BackupsOf(fixture))
        {
            using TempFolder folder = new();
            (string made, DatabaseReport report) = await MakeAsync(backup, folder);
            Assert.Equal((backup.Versions.Count, 0), (report.Versions, report.LostBlocks));

            await using Backup opened = await Backup.OpenAsync(
                backup.Location,
                backup.Options() with
                {
                    DatabasePath = made,
                }
            );
            RestorePlan plan = await opened.PlanDrillAsync(opened.Versions, new RestoreOptions());
            RestoreReport drill = await opened.ExecuteAsync(plan);
            Assert.DoesNotContain(
                drill.Issues,
                issue => issue.Kind is IssueKind.Damaged or IssueKind.Missing || issue.MetadataLost
            );
            Assert.DoesNotContain(drill.Issues, issue => issue.Path.EndsWith(".sqlite", StringComparison.Ordinal));
            Assert.True(drill.FilesRestored > 0);
        }
    }

    /// <summary>
    /// The checks run inside: a database that contradicts itself would be a failure that nobody
    /// expects.
    /// </summary>
    [Theory]
    [MemberData(nameof(Unsound))]
    public async Task A_damaged_or_hostile_backup_gives_a_sound_database_or_one_sentence(string fixture)
    {
        using TempFolder folder = new();
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).First();
        try
        {
            (string made, DatabaseReport report) = await MakeAsync(backup, folder);
            Assert.InRange(report.Versions, 1, backup.Versions.Count);
            await using Backup opened = await Backup.OpenAsync(
                backup.Location,
                backup.Options() with
                {
                    DatabasePath = made,
                }
            );
            Assert.True(opened.Versions.Count >= report.Versions);
        }
        catch (RestoreException failure)
        {
            Assert.NotEqual(RestoreErrorCode.Unexpected, failure.Code);
            Assert.False(failure.What.EndsWith('.'), failure.What);
            Assert.Empty(Directory.EnumerateFileSystemEntries(folder.Path));
        }
    }

    [Fact]
    public async Task What_is_lost_is_named_and_the_rest_is_there()
    {
        using TempFolder folder = new();
        (string made, DatabaseReport report) = await MakeAsync(
            FixtureCatalog.BackupsOf("damaged/dblock-missing-plain").Single(),
            folder
        );
        Assert.True(report.LostBlocks > 0);
        Assert.Contains(report.Issues, issue => issue.Kind == IssueKind.Damaged);
        Assert.Equal(report.LostBlocks, DatabaseRows.Count(made, "Block WHERE VolumeID = -1"));

        using TempFolder other = new();
        (made, report) = await MakeAsync(FixtureCatalog.BackupsOf("damaged/blocklist-lost-plain").Single(), other);
        RestoreIssue lost = Assert.Single(report.Issues, issue => issue.Kind == IssueKind.Missing);
        Assert.EndsWith("mail/archive-v2", lost.Path, StringComparison.Ordinal);
        Assert.DoesNotContain(lost.Path, DatabaseRows.Of(made, "SELECT Path FROM File"));

        using TempFolder third = new();
        (made, report) = await MakeAsync(FixtureCatalog.BackupsOf("damaged/newest-dlist-corrupt-aes").Single(), third);
        Assert.Contains(
            report.Issues,
            issue => issue.Kind == IssueKind.Missing && issue.Path.Contains(".dlist.", StringComparison.Ordinal)
        );
        Assert.Equal(report.Versions, DatabaseRows.Count(made, "Fileset"));
    }

    [Theory]
    [InlineData("damaged/dindex-missing-plain")]
    [InlineData("damaged/dindex-garbage-aes")]
    [InlineData("damaged/dindex-silent-plain")]
    [InlineData("no-index")]
    [InlineData("lookup-index")]
    public async Task What_no_index_has_comes_from_block_volumes(string fixture)
    {
        using TempFolder folder = new();
        (string made, DatabaseReport report) = await MakeAsync(FixtureCatalog.BackupsOf(fixture).First(), folder);
        Assert.Equal(0, report.LostBlocks);
        Assert.Equal(0, DatabaseRows.Count(made, "Block WHERE VolumeID = -1"));
        Assert.Equal(0, DatabaseRows.Count(made, "Remotevolume WHERE Hash IS NULL"));
        Assert.DoesNotContain(report.Issues, issue => issue.Kind != IssueKind.Warning);
    }

    [Fact]
    public async Task Blocks_of_a_version_that_is_gone_are_deleted_and_further_copies_are_duplicates()
    {
        using TempFolder folder = new();
        BackupWriterOptions options = TwoVersions(folder);
        await new BackupWriter(options).WriteAsync();
        File.WriteAllBytes(Path.Join(options.Sources[0], "b"), [7, 7, 7]);
        await new BackupWriter(options with { Time = options.Time!.Value.AddDays(1) }).WriteAsync();
        string copies = Path.Join(folder.Path, "copies");
        Directory.CreateDirectory(copies);
        foreach (string volume in Directory.GetFiles(options.Destination, "*.dblock*"))
        {
            File.Copy(volume, Path.Join(copies, Path.GetFileName(volume)));
        }

        File.Delete(Directory.GetFiles(options.Destination, "*.dlist*").Order(StringComparer.Ordinal).First());
        await using Backup backup = await Backup.OpenAsync(options.Destination);
        DatabaseReport report = await backup.Maintenance.WriteDatabaseAsync(Path.Join(folder.Path, "made.sqlite"));
        Assert.Equal(1, report.Versions);
        Assert.True(report.UnusedBlocks > 0);
        Assert.Equal(report.UnusedBlocks, DatabaseRows.Count(report.Path, "DeletedBlock"));
        Assert.Equal(0, DatabaseRows.Count(report.Path, "DuplicateBlock"));

        // The same volumes under other names: each block has a copy, and each unused one two rows.
        foreach (string volume in Directory.GetFiles(copies))
        {
            string name = Path.GetFileName(volume);
            File.Copy(volume, Path.Join(options.Destination, name[..11] + Guid.NewGuid().ToString("N") + name[43..]));
        }

        await using Backup doubled = await Backup.OpenAsync(options.Destination);
        DatabaseReport more = await doubled.Maintenance.WriteDatabaseAsync(Path.Join(folder.Path, "doubled.sqlite"));
        Assert.Equal((report.Blocks, report.UnusedBlocks), (more.Blocks, more.UnusedBlocks));
        Assert.Equal(report.Blocks, DatabaseRows.Count(more.Path, "DuplicateBlock"));
        Assert.Equal(2 * report.UnusedBlocks, DatabaseRows.Count(more.Path, "DeletedBlock"));
    }

    /// <summary>
    /// Its rows are in the tables when the defect is found, and cannot be taken back.
    /// </summary>
    [Fact]
    public async Task A_list_that_is_broken_at_its_end_leaves_no_rows()
    {
        using TempFolder folder = new();
        BackupWriterOptions options = TwoVersions(folder);
        await new BackupWriter(options).WriteAsync();
        await using (Backup sound = await Backup.OpenAsync(options.Destination))
        {
            await sound.Maintenance.WriteDatabaseAsync(Path.Join(folder.Path, "sound.sqlite"));
        }

        File.WriteAllBytes(Path.Join(options.Sources[0], "only-new"), [7, 7, 7]);
        await new BackupWriter(options with { Time = options.Time!.Value.AddDays(1) }).WriteAsync();
        string newest = Directory.GetFiles(options.Destination, "*.dlist*").Order(StringComparer.Ordinal).Last();
        using (ZipArchive list = ZipFile.Open(newest, ZipArchiveMode.Update))
        {
            using Stream json = list.GetEntry("filelist.json")!.Open();
            json.SetLength(json.Length - 1);
        }

        await using Backup backup = await Backup.OpenAsync(options.Destination);
        DatabaseReport report = await backup.Maintenance.WriteDatabaseAsync(Path.Join(folder.Path, "made.sqlite"));
        Assert.Contains(
            report.Issues,
            issue => issue.Kind == IssueKind.Missing && issue.Path == Path.GetFileName(newest)
        );
        Assert.Equal(1, report.Versions);
        string[] tables =
        [
            "Fileset",
            "FilesetEntry",
            "FileLookup",
            "PathPrefix",
            "Blockset",
            "BlocksetEntry",
            "Metadataset",
            "Block",
        ];
        Assert.All(
            tables,
            table =>
                Assert.Equal(
                    (table, DatabaseRows.Count(Path.Join(folder.Path, "sound.sqlite"), table)),
                    (table, DatabaseRows.Count(report.Path, table))
                )
        );
        Assert.Single(Directory.GetFiles(folder.Path, "*made*"));
        Assert.Empty(Directory.GetFiles(folder.Path, "*.tmp"));
    }

    [Fact]
    public async Task An_entry_that_changes_and_changes_back_is_one_row_again()
    {
        using TempFolder folder = new();
        BackupWriterOptions options = TwoVersions(folder);
        string file = Path.Join(options.Sources[0], "b");
        DateTime time = new(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc);
        for (int day = 0; day < 3; day++)
        {
            File.WriteAllText(file, day == 1 ? "other" : "same");
            File.SetLastWriteTimeUtc(file, time.AddDays(day % 2));
            File.SetLastWriteTimeUtc(options.Sources[0], time);
            await new BackupWriter(
                options with
                {
                    Time = options.Time!.Value.AddDays(day),
                    SkipMetadata = true,
                }
            ).WriteAsync();
        }

        await using Backup backup = await Backup.OpenAsync(options.Destination);
        DatabaseReport report = await backup.Maintenance.WriteDatabaseAsync(Path.Join(folder.Path, "made.sqlite"));
        Assert.Equal(3, report.Versions);
        Assert.Equal(2, DatabaseRows.Count(report.Path, "FileLookup WHERE Path = 'b'"));
        Assert.Equal(
            3,
            DatabaseRows.Count(report.Path, "FilesetEntry e JOIN FileLookup f ON f.ID = e.FileID WHERE f.Path = 'b'")
        );
    }

    [Fact]
    public async Task A_file_of_one_block_restores_by_a_database_if_files_and_blocks_have_different_hashes()
    {
        using RoundTrip trip = new();
        await File.WriteAllTextAsync(Path.Join(trip.Source, "file"), "text", TestContext.Current.CancellationToken);
        await trip.WriteAsync(trip.Options with { BlockHash = "SHA512" });
        string path = Path.Join(trip.Folder, "made.sqlite");
        await using (Backup backup = await Backup.OpenAsync(trip.Destination))
        {
            await backup.Maintenance.WriteDatabaseAsync(path);
        }

        await using Backup known = await Backup.OpenAsync(trip.Destination, new BackupOptions { DatabasePath = path });
        RestorePlan plan = await known.PlanAsync(
            known.Versions[0],
            new RestoreOptions { Target = Path.Join(trip.Folder, "restored") }
        );
        RestoreReport report = await known.ExecuteAsync(plan);
        Assert.True(report.IsComplete, string.Join('\n', report.Issues));
        Assert.Equal(
            "text",
            await File.ReadAllTextAsync(
                Path.Join(trip.Folder, "restored", "file"),
                TestContext.Current.CancellationToken
            )
        );
    }

    [Fact]
    public async Task A_file_that_is_there_stays_and_a_cancelled_run_leaves_nothing()
    {
        using TempFolder folder = new();
        FixtureBackup fixture = FixtureCatalog.BackupsOf("plain-1mb").Single();
        string path = Path.Join(folder.Path, "made.sqlite");
        await using Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            backup.Maintenance.WriteDatabaseAsync(path, cancellationToken: new CancellationToken(true))
        );
        Assert.Empty(Directory.EnumerateFileSystemEntries(folder.Path));

        File.WriteAllText(path, "mine");
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            backup.Maintenance.WriteDatabaseAsync(path)
        );
        Assert.Equal(RestoreErrorCode.OutputExists, failure.Code);
        Assert.Equal("mine", File.ReadAllText(path));

        failure = await Assert.ThrowsAsync<RestoreException>(() =>
            backup.Maintenance.WriteDatabaseAsync(Path.Join(folder.Path, "no", "made.sqlite"))
        );
        Assert.Equal(RestoreErrorCode.OutputNotWritable, failure.Code);
        Assert.Equal([path], Directory.EnumerateFileSystemEntries(folder.Path));
    }

    [Fact]
    public async Task What_an_interrupted_run_has_read_is_not_fetched_again_with_a_cache()
    {
        using TempFolder folder = new();
        FixtureBackup fixture = FixtureCatalog.BackupsOf("plain-1mb").Single();
        string path = Path.Join(folder.Path, "made.sqlite");
        BackupOptions options = fixture.Options() with { CacheDirectory = Path.Join(folder.Path, "cache") };
        using CancellationTokenSource interruption = new();
        await using (Backup first = await Backup.OpenAsync(fixture.Location, options))
        {
            InterruptingProgress progress = new(RestorePhase.WritingDatabase, interruption);
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
                first.Maintenance.WriteDatabaseAsync(path, progress, interruption.Token)
            );
            Assert.False(File.Exists(path));
        }

        await using Backup second = await Backup.OpenAsync(fixture.Location, options);

        // The begin of each list alone: the cached one must be the one that is there.
        Assert.Equal(second.Versions.Count * 512, (await second.Maintenance.WriteDatabaseAsync(path)).BytesFetched);
    }

    private sealed class InterruptingProgress(RestorePhase phase, CancellationTokenSource interruption)
        : IProgress<RestoreProgress>
    {
        public void Report(RestoreProgress value)
        {
            if (value.Phase == phase)
            {
                interruption.Cancel();
            }
        }
    }

    private static BackupWriterOptions TwoVersions(TempFolder folder)
    {
        string source = Path.Join(folder.Path, "source");
        Directory.CreateDirectory(source);
        File.WriteAllBytes(Path.Join(source, "a"), [.. Enumerable.Range(0, 5000).Select(i => (byte)(i * i / 7))]);
        File.WriteAllBytes(Path.Join(source, "b"), [1, 2, 3]);
        return new BackupWriterOptions
        {
            Sources = [source],
            Destination = Path.Join(folder.Path, "backup"),
            BlockSizeBytes = 1024,
            Time = new DateTimeOffset(2026, 1, 1, 12, 0, 0, TimeSpan.Zero),
        };
    }

    private static async Task<(string Path, DatabaseReport Report)> MakeAsync(FixtureBackup fixture, TempFolder folder)
    {
        string path = Path.Join(folder.Path, "made.sqlite");
        await using Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options());
        DatabaseReport report = await backup.Maintenance.WriteDatabaseAsync(path);
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
        Assert.Equal(new FileInfo(path).Length, report.Bytes);
        return (path, report);
    }
}
