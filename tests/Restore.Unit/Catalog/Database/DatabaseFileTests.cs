using Microsoft.Data.Sqlite;
using Restore.Catalog.Database;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Catalog.Database;

/// <summary>Which files are accepted as a database, and the errors for others.</summary>
public sealed class DatabaseFileTests
{
    /// <summary>What each version of the schema brought, taken back.</summary>
    private static readonly (int Version, string Undo)[] Steps =
    [
        (19, "ALTER TABLE Metadataset DROP COLUMN Content"),
        (18, "ALTER TABLE Remotevolume DROP COLUMN LockExpirationTime"),
        (17, "DROP INDEX BlocksetEntry_BlocksetID"),
        (16, "DROP INDEX RemotevolumeNameOnly; DROP INDEX FileLookupMetadataID"),
        (15, "ALTER TABLE Remotevolume DROP COLUMN ArchiveTime"),
        (14, "DROP INDEX DeletedBlockHashVolumeID; DROP INDEX DeletedBlockHashSize"),
        (13, "DROP INDEX UniqueBlockVolumeDuplicateBlock"),
        (
            12,
            "DROP INDEX nn_FilesetentryFile; DROP INDEX nn_FileLookup_BlockMeta; DROP INDEX nnc_BlocksetEntry; DROP INDEX nnc_Metadataset"
        ),
        (11, "DROP INDEX Block_IndexByVolumeId; DROP INDEX BlockSize; DROP INDEX BlockHashVolumeID"),
        (10, "ALTER TABLE Fileset DROP COLUMN IsFullBackup"),
    ];

    public static TheoryData<int> OlderVersions() => [.. Enumerable.Range(9, 10)];

    [Theory]
    [MemberData(nameof(OlderVersions))]
    public async Task Databases_of_older_versions_are_read(int version)
    {
        using DatabaseWorkspace work = new();
        work.Sql(string.Join(';', Steps.Where(step => step.Version > version).Select(step => step.Undo)));
        work.Sql($"UPDATE Version SET Version = {version}");
        await work.RestoreWhollyAsync();
    }

    [Theory]
    [InlineData(8)]
    [InlineData(20)]
    public async Task A_version_that_is_not_known_is_named(int version)
    {
        using DatabaseWorkspace work = new();
        work.Sql($"UPDATE Version SET Version = {version}");
        RestoreException failure = await work.FailToOpenAsync();
        Assert.Equal(RestoreErrorCode.DatabaseUnusable, failure.Code);
        Assert.Equal($"The database is of version {version}; this program knows 9 to 19", failure.What);
    }

    [Fact]
    public async Task A_database_that_another_program_has_locked_is_waited_for_a_few_seconds()
    {
        using DatabaseWorkspace work = new();
        using SqliteConnection other = new($"Data Source={work.Database};Pooling=False");
        other.Open();
        using SqliteCommand command = other.CreateCommand();
        command.CommandText = "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE";
        command.ExecuteNonQuery();
        long start = Environment.TickCount64;
        RestoreException failure = await work.FailToOpenAsync();
        Assert.Equal("The database is locked by another program", failure.What);
        Assert.InRange(Environment.TickCount64 - start, 2_000, 20_000);
    }

    [Fact]
    public async Task A_damaged_page_that_a_search_meets_is_a_warning_and_the_volumes_are_read()
    {
        using DatabaseWorkspace work = new();
        work.Sql("PRAGMA journal_mode = DELETE");
        long page = work.Number("SELECT rootpage FROM sqlite_master WHERE name = 'Block'");
        long pageBytes = work.Number("SELECT page_size FROM pragma_page_size");
        using (FileStream file = new(work.Database, FileMode.Open))
        {
            file.Position = (page - 1) * pageBytes;
            file.Write(new byte[pageBytes]);
        }

        RestoreReport report = await work.RestoreWhollyAsync();
        Assert.Contains(report.Issues, issue => issue is { Code: IssueCode.DatabaseUnusable, Kind: IssueKind.Warning });
    }

    [Fact]
    public async Task A_missing_database_is_not_found()
    {
        using DatabaseWorkspace work = new();
        File.Delete(work.Database);
        RestoreException failure = await work.FailToOpenAsync();
        Assert.Equal((RestoreErrorCode.DatabaseNotFound, "There is no such database"), (failure.Code, failure.What));
        Directory.CreateDirectory(work.Database);
        Assert.Equal("The database is a folder", (await work.FailToOpenAsync()).What);
    }

    [Theory]
    [InlineData("", "The database is an empty file")]
    [InlineData("SQLite format 3", "The file is not an SQLite database")]
    [InlineData(
        "PK and so on: the start of a volume that somebody took for a database, padded to some length",
        "The file is not an SQLite database"
    )]
    public async Task A_file_that_is_not_a_database_is_refused(string content, string sentence)
    {
        using DatabaseWorkspace work = new();
        File.WriteAllText(work.Database, content);
        RestoreException failure = await work.FailToOpenAsync();
        Assert.Equal((RestoreErrorCode.DatabaseUnusable, sentence), (failure.Code, failure.What));
    }

    [Fact]
    public async Task A_database_of_another_program_is_refused()
    {
        using DatabaseWorkspace work = new();
        File.Delete(work.Database);
        work.Sql("CREATE TABLE Version (ID INTEGER PRIMARY KEY, Version INTEGER); INSERT INTO Version VALUES (1, 19)");
        Assert.Equal(
            "The file is an SQLite database, but not the local database of a Duplicati job",
            (await work.FailToOpenAsync()).What
        );
    }

    [Theory]
    [InlineData("DROP INDEX BlockHashSize", "BlockHashSize")]
    [InlineData("DROP INDEX BlockHashSize; CREATE INDEX BlockHashSize ON Block (Size, Hash)", "BlockHashSize")]
    [InlineData("DROP INDEX BlocksetFullHash; CREATE INDEX BlocksetFullHash ON Blockset (Length)", "BlocksetFullHash")]
    public async Task A_database_in_which_a_block_could_only_be_searched_row_by_row_is_refused(
        string change,
        string index
    )
    {
        using DatabaseWorkspace work = new();
        work.Sql(change);
        Assert.Equal(
            $"The database of version 19 has no index {index} as Duplicati makes it",
            (await work.FailToOpenAsync()).What
        );
    }

    [Theory]
    [InlineData("ALTER TABLE FileLookup RENAME TO Other; CREATE VIEW FileLookup AS SELECT * FROM Other", "FileLookup")]
    [InlineData("DROP TABLE DuplicateBlock", "DuplicateBlock")]
    [InlineData(
        "DROP VIEW File; ALTER TABLE BlocksetEntry RENAME TO Other; CREATE TABLE BlocksetEntry AS SELECT * FROM Other",
        "BlocksetEntry"
    )]
    public async Task A_table_that_is_none_or_has_no_key_is_refused(string change, string table)
    {
        using DatabaseWorkspace work = new();
        work.Sql("PRAGMA legacy_alter_table = ON; " + change);
        Assert.Equal(
            $"The database of version 19 has no table {table} as Duplicati makes it",
            (await work.FailToOpenAsync()).What
        );
    }

    [Fact]
    public async Task A_truncated_database_is_damaged()
    {
        using DatabaseWorkspace work = new();
        using (FileStream file = File.OpenWrite(work.Database))
        {
            file.SetLength(file.Length * 6 / 10);
        }

        RestoreReport report = await work.RestoreWhollyAsync();
        Assert.Contains(
            report.Issues,
            issue =>
                issue.Code == IssueCode.DatabaseUnusable
                && issue.Reason.StartsWith("The database is damaged", StringComparison.Ordinal)
        );
        work.DeleteVolumes("dlist");
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => work.RestoreAsync());
        Assert.Equal((RestoreErrorCode.DatabaseUnusable, "The database is damaged"), (failure.Code, failure.What));
    }

    [Theory]
    [InlineData("FilesetEntry")]
    [InlineData("FileLookup")]
    [InlineData("BlocksetEntry")]
    [InlineData("Block")]
    public async Task A_damaged_page_ends_the_run_with_advice(string table)
    {
        using DatabaseWorkspace work = new();
        work.DeleteVolumes("dlist");
        long page = work.Number($"SELECT rootpage FROM sqlite_master WHERE name = '{table}'");
        using (FileStream file = File.OpenWrite(work.Database))
        {
            file.Position = (page - 1) * 4096;
            file.Write(Enumerable.Repeat((byte)0xEE, 4096).ToArray());
        }

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => work.RestoreAsync());
        Assert.Equal((RestoreErrorCode.DatabaseUnusable, "The database is damaged"), (failure.Code, failure.What));
        Assert.False(Directory.Exists(work.Target));
    }

    [Fact]
    public async Task A_log_without_its_index_is_not_ignored_and_an_empty_index_is_enough()
    {
        using DatabaseWorkspace work = new(database: "database-wal");
        File.Delete(work.Database + "-shm");
        string before = work.Fingerprint();
        RestoreException failure = await work.FailToOpenAsync();
        Assert.Equal(
            "The database has a write-ahead log beside it (backup.sqlite-wal) without its index (backup.sqlite-shm, which may be an empty file), "
                + "and this program does not make one, since it changes nothing beside a database",
            failure.What
        );
        Assert.Equal(before, work.Fingerprint());

        File.WriteAllBytes(work.Database + "-shm", []);
        before = work.Fingerprint();
        await work.RestoreWhollyAsync();
        Assert.Equal(before, work.Fingerprint());
    }

    [Fact]
    public async Task What_is_only_in_the_log_is_read()
    {
        using DatabaseWorkspace work = new(database: "database-wal");
        work.DeleteVolumes("dlist");
        await using Backup backup = await work.OpenAsync();
        Assert.Equal(2, backup.Versions.Count);
    }

    [Fact]
    public async Task A_database_in_use_is_read_in_its_present_state()
    {
        using DatabaseWorkspace work = new();
        using SqliteConnection owner = new($"Data Source={work.Database};Pooling=False");
        owner.Open();
        using SqliteCommand command = owner.CreateCommand();
        command.CommandText = "UPDATE Remotevolume SET State = 'Uploaded'; BEGIN IMMEDIATE; DELETE FROM Fileset";
        command.ExecuteNonQuery();
        Assert.True(new FileInfo(work.Database + "-wal").Length > 0);
        await work.RestoreWhollyAsync();
        command.CommandText = "ROLLBACK";
        command.ExecuteNonQuery();
    }

    [Fact]
    public async Task A_database_without_write_ahead_mode_is_read_without_a_trace()
    {
        using DatabaseWorkspace work = new();
        work.Sql("PRAGMA journal_mode = DELETE");
        string before = work.Fingerprint();
        await work.RestoreWhollyAsync();
        Assert.Equal(before, work.Fingerprint());
    }

    [Fact]
    public async Task An_unfinished_change_is_not_ignored()
    {
        using DatabaseWorkspace work = new();
        work.Sql("PRAGMA journal_mode = DELETE");
        using (SqliteConnection owner = new($"Data Source={work.Database};Pooling=False"))
        {
            // Pages written back before the transaction ends, as memory gets short: what a crash
            // leaves then is half of a change and the journal to undo it.
            owner.Open();
            using SqliteCommand command = owner.CreateCommand();
            command.CommandText =
                "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; UPDATE Block SET Size = Size + 1; UPDATE Blockset SET Length = Length + 1";
            command.ExecuteNonQuery();
            File.Copy(work.Database, work.Database + ".crashed");
            File.Copy(work.Database + "-journal", work.Database + ".crashed-journal");
        }

        File.Move(work.Database + ".crashed", work.Database, overwrite: true);
        File.Move(work.Database + ".crashed-journal", work.Database + "-journal", overwrite: true);
        string before = work.Fingerprint();
        RestoreException failure = await work.FailToOpenAsync();
        Assert.StartsWith(
            "The database has an unfinished change, which Duplicati must undo first",
            failure.What,
            StringComparison.Ordinal
        );
        Assert.Equal(before, work.Fingerprint());
    }

    [Fact]
    public async Task A_database_that_changes_while_it_is_read_is_refused()
    {
        using DatabaseWorkspace work = new();
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            new DatabaseFile(work.Database).ReadAsync(Change, CancellationToken.None)
        );
        Assert.Equal(
            (RestoreErrorCode.DatabaseUnusable, "The database was changed while it was read"),
            (failure.Code, failure.What)
        );

        bool Change(DatabaseConnection connection)
        {
            File.SetLastWriteTimeUtc(work.Database, File.GetLastWriteTimeUtc(work.Database).AddSeconds(1));
            return true;
        }
    }

    [Fact]
    [NeedsLinux]
    public async Task A_path_with_every_kind_of_character_is_found()
    {
        using DatabaseWorkspace work = new();
        string odd = Path.Join(Path.GetDirectoryName(work.Database), "50% of? #1 & späß;Mode=Memory");
        File.Copy(work.Database, odd);
        await using Backup backup = await Backup.OpenAsync(work.Volumes, work.Options with { DatabasePath = odd });
        Assert.Equal(2, backup.Versions.Count);
    }
}
