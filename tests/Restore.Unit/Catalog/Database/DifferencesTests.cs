namespace Restore.Tests.Catalog.Database;

/// <summary>
/// A database and a folder that differ: the difference is reported, and the folder is restored.
/// </summary>
public sealed class DifferencesTests
{
    private const string Newest = "duplicati-20261121T132316Z.dlist.zip.aes";
    private const string Oldest = "duplicati-20261121T132313Z.dlist.zip.aes";
    private const string LargeVolume = "duplicati-bbf46cbb8f37a4068b6596dd3bf6a0727.dblock.zip.aes";
    private const string SmallVolume = "duplicati-b38dc54929697433ba3a420da2cd4f446.dblock.zip.aes";

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Without_any_file_list_the_versions_come_from_the_database(int version)
    {
        using DatabaseWorkspace work = new();
        work.DeleteVolumes("dlist");
        RestoreReport report = await work.RestoreWhollyAsync(version);
        AssertWarning(
            report,
            Newest,
            "The file list is not in the folder; the entries of its version come from the database"
        );
        AssertWarning(
            report,
            Oldest,
            "The file list is not in the folder; the entries of its version come from the database"
        );
        Assert.Equal(2, Warnings(report).Count);
    }

    [Fact]
    public async Task A_folder_without_file_lists_asks_for_a_database()
    {
        using DatabaseWorkspace work = new();
        work.DeleteVolumes("dlist");
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            Backup.OpenAsync(work.Volumes, work.Options with { DatabasePath = null })
        );
        Assert.Equal(RestoreErrorCode.FileListsMissing, failure.Code);
    }

    [Theory]
    [InlineData(
        "DELETE FROM Fileset WHERE ID = 2",
        "The database does not know this version; its file list is read instead"
    )]
    [InlineData(
        "DELETE FROM Fileset WHERE ID = 2; DELETE FROM Remotevolume WHERE ID = 4",
        "The database does not know this version; its file list is read instead"
    )]
    [InlineData(
        "UPDATE Fileset SET Timestamp = 9223372036854775807 WHERE ID = 2",
        "The database gives an impossible time for this version; it is left out"
    )]
    [InlineData(
        "UPDATE Remotevolume SET State = 'Uploading' WHERE ID = 4",
        "The volume is in the folder, and Uploading in the database"
    )]
    public async Task A_version_that_the_database_does_not_have_whole_is_read_from_its_file_list(
        string change,
        string warning
    )
    {
        using DatabaseWorkspace work = new();
        work.Sql(change + "; DELETE FROM FilesetEntry WHERE FilesetID = 2");
        RestoreReport report = await work.RestoreWhollyAsync();
        AssertWarning(report, Newest, warning);
    }

    [Theory]
    [InlineData("UPDATE FileLookup SET BlocksetID = (SELECT MAX(BlocksetID) FROM FileLookup)")]
    [InlineData("DELETE FROM FilesetEntry WHERE FilesetID = 2 AND FileID % 2 = 0")]
    [InlineData("UPDATE FileLookup SET Path = Path || 'x'")]
    [InlineData("UPDATE Blockset SET Length = Length + 1")]
    [InlineData("UPDATE BlocksetEntry SET BlockID = (SELECT MAX(ID) FROM Block) WHERE \"Index\" = 1")]
    [InlineData("DELETE FROM BlocksetEntry WHERE \"Index\" = 1")]
    public async Task Entries_and_their_blocks_are_those_of_the_file_list_whatever_the_database_says(string change)
    {
        using DatabaseWorkspace work = new();
        work.Sql(change);
        await work.RestoreWhollyAsync();
    }

    [Theory]
    [InlineData(
        "UPDATE Fileset SET Timestamp = -Timestamp",
        "The database gives this version the time 1913-02-10 10:36:44Z; that of the file list's name counts"
    )]
    [InlineData(
        "UPDATE Fileset SET Timestamp = 1700000000",
        "The database gives this version the time 2023-11-14 22:13:20Z; that of the file list's name counts"
    )]
    [InlineData(
        "INSERT INTO Fileset SELECT ID + 1000, OperationID, VolumeID, IsFullBackup, Timestamp FROM Fileset",
        "The database lists this version more than once; it is one version"
    )]
    [InlineData("UPDATE Fileset SET VolumeID = (SELECT MIN(VolumeID) FROM Fileset)", null)]
    [InlineData("UPDATE Fileset SET Timestamp = Timestamp - 5", null)]
    public async Task Versions_are_those_of_the_file_lists_whatever_the_database_says(string change, string? warning)
    {
        using DatabaseWorkspace work = new();
        work.Sql(change);
        await using Backup byDatabase = await work.OpenAsync();
        await using Backup direct = await Backup.OpenAsync(work.Volumes, work.Options with { DatabasePath = null });
        Assert.Equal(direct.Versions, byDatabase.Versions);
        RestoreReport report = await work.RestoreWhollyAsync();
        if (warning is null)
        {
            Assert.Empty(Warnings(report));
        }
        else
        {
            AssertWarning(report, Newest, warning);
        }
    }

    [Fact]
    public async Task A_version_without_list_of_which_the_database_has_no_entry_cannot_be_restored()
    {
        using DatabaseWorkspace work = new();
        work.DeleteVolumes("dlist");
        work.Sql("DELETE FROM FilesetEntry WHERE FilesetID = 2");
        await using Backup backup = await work.OpenAsync();
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = work.Target })
        );
        Assert.Equal(
            $"The file list of version 0 cannot be read ({Newest}), and the database has no entry of it",
            failure.What
        );
    }

    [Fact]
    public async Task If_a_file_list_cannot_be_read_the_entries_come_from_the_database()
    {
        using DatabaseWorkspace work = new();
        string list = Path.Join(work.Volumes, Newest);
        byte[] bytes = File.ReadAllBytes(list);
        bytes[bytes.Length / 2] ^= 1;
        File.WriteAllBytes(list, bytes);
        RestoreReport report = await work.RestoreWhollyAsync();
        Assert.Contains(
            Warnings(report),
            issue =>
                issue.Path == Newest
                && issue.Reason.StartsWith(
                    "The entries come from the database: The file list of version 0",
                    StringComparison.Ordinal
                )
        );
    }

    [Fact]
    public async Task A_backup_that_never_ended_is_not_a_version()
    {
        using DatabaseWorkspace work = new();
        work.DeleteVolumes(Newest);
        work.Sql("UPDATE Remotevolume SET State = 'Temporary' WHERE ID = 4");
        await using Backup backup = await work.OpenAsync();
        Assert.Equal(Oldest, Assert.Single(backup.Versions).FileListName);
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = work.Target });
        Assert.Contains(
            plan.Issues,
            issue =>
                issue.Path == Newest
                && issue.Reason
                    == "The backup of 2026-11-21 13:23:16Z never ended (its file list is Temporary in the database); it cannot be restored"
        );
    }

    [Fact]
    public async Task A_missing_block_volume_costs_what_only_it_has_and_is_named()
    {
        using DatabaseWorkspace work = new();
        work.DeleteVolumes(SmallVolume);
        RestoreReport report = await work.RestoreAsync();
        Assert.False(report.IsComplete);
        AssertWarning(report, SmallVolume, "The volume is Verified in the database, and not in the folder");
        string[] lost =
        [
            .. report
                .Issues.Where(issue => issue.Kind is IssueKind.Damaged or IssueKind.Missing)
                .Select(issue => issue.Path),
        ];
        Assert.Contains("/tmp/fx/src/with-database/data/added-2/new.bin", lost);

        await using Backup direct = await Backup.OpenAsync(work.Volumes, work.Options with { DatabasePath = null });
        RestoreOptions options = new() { Target = work.Target + "-direct", Filter = DatabaseWorkspace.PossibleHere };
        RestorePlan plan = await direct.PlanAsync(direct.Versions[0], options);
        RestoreReport directReport = await direct.ExecuteAsync(plan);
        Assert.Equal(directReport.FilesRestored, report.FilesRestored);
        Assert.Equal(
            directReport
                .Issues.Where(issue => issue.Kind is IssueKind.Damaged or IssueKind.Missing)
                .Select(issue => issue.Path)
                .Order(StringComparer.Ordinal),
            lost.Order(StringComparer.Ordinal)
        );
    }

    [Theory]
    [InlineData("UPDATE Block SET VolumeID = -1")]
    [InlineData("UPDATE Block SET VolumeID = 99")]
    [InlineData("UPDATE Block SET ID = ID - 4000000000000000000")]
    [InlineData("UPDATE Block SET ID = ID + 4000000000000000000")]
    [InlineData("UPDATE Block SET VolumeID = -1 WHERE ID % 2 = 0")]
    public async Task Blocks_whose_volume_the_database_does_not_know_are_found_by_the_index_volumes(string change)
    {
        using DatabaseWorkspace work = new();
        work.Sql(change);
        await work.RestoreWhollyAsync();
    }

    [Theory]
    [InlineData("UPDATE Block SET VolumeID = 7 - VolumeID")]
    [InlineData("UPDATE Block SET VolumeID = 5")]
    public async Task Blocks_that_are_in_another_volume_than_the_database_says_are_found_in_a_second_pass(string change)
    {
        using DatabaseWorkspace work = new();
        work.Sql(change);
        await work.RestoreWhollyAsync();
    }

    [Fact]
    public async Task A_volume_of_another_size_is_reported_and_used()
    {
        using DatabaseWorkspace work = new();
        work.Sql(
            """
            UPDATE Remotevolume SET Size = Size + 1 WHERE ID = 2;
            UPDATE Remotevolume SET Size = -1 WHERE ID = 3;
            UPDATE Remotevolume SET Size = NULL WHERE ID = 6
            """
        );
        RestoreReport report = await work.RestoreWhollyAsync();
        AssertWarning(report, LargeVolume, "The volume is 124,781 bytes long, and 124,782 in the database");
        Assert.Single(Warnings(report));
    }

    [Fact]
    public async Task A_volume_the_database_does_not_know_is_reported()
    {
        using DatabaseWorkspace work = new();
        work.Sql("DELETE FROM Remotevolume WHERE ID = 6");
        RestoreReport report = await work.RestoreWhollyAsync();
        AssertWarning(
            report,
            "duplicati-i34ee87141fe944fcb9b55279ecd39c97.dindex.zip.aes",
            "The database does not know this volume"
        );
    }

    [Fact]
    public async Task Of_many_differences_ten_are_listed_and_the_others_counted()
    {
        using DatabaseWorkspace work = new();
        work.Sql(
            """
            WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 130)
            INSERT INTO Remotevolume (ID, OperationID, Name, Type, Size, State, VerificationCount, DeleteGraceTime, ArchiveTime, LockExpirationTime)
            SELECT i, 1, 'duplicati-b' || i || '.dblock.zip.aes', 'Blocks', 1, 'Uploaded', 0, 0, 0, 0 FROM n
            """
        );
        RestoreReport report = await work.RestoreWhollyAsync();
        Assert.Equal(11, Warnings(report).Count);
        AssertWarning(report, work.Database, "The database and the folder differ in 21 more ways");
    }

    [Fact]
    public async Task An_interrupted_repair_is_reported()
    {
        using DatabaseWorkspace work = new();
        work.Sql("INSERT INTO Configuration VALUES ('repair-in-progress', 'true')");
        RestoreReport report = await work.RestoreWhollyAsync();
        AssertWarning(
            report,
            work.Database,
            "Duplicati was interrupted while it repaired the database; parts of it may be missing"
        );
    }

    [Fact]
    public async Task A_database_of_another_prefix_is_refused()
    {
        using DatabaseWorkspace work = new();
        work.Sql("UPDATE Configuration SET Value = 'other' WHERE Key = 'prefix'");
        RestoreException failure = await work.FailToOpenAsync();
        Assert.Equal(RestoreErrorKind.Usage, failure.Kind);
        Assert.Equal(
            "The database belongs to the backup with the prefix other, the volumes to the one with the prefix duplicati",
            failure.What
        );
    }

    [Fact]
    public async Task A_database_of_another_backup_is_refused()
    {
        using DatabaseWorkspace work = new();
        using DatabaseWorkspace other = new("with-database-recreated");
        work.DeleteVolumes("dlist");
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            Backup.OpenAsync(work.Volumes, other.Options)
        );
        Assert.Equal(RestoreErrorKind.Usage, failure.Kind);
        Assert.Equal(
            "The database belongs to another backup: none of the 6 volumes it lists is in the folder",
            failure.What
        );
    }

    [Theory]
    [InlineData("UPDATE Configuration SET Value = '512' WHERE Key = 'blocksize'", "block size \"512\"")]
    [InlineData("UPDATE Configuration SET Value = 'big' WHERE Key = 'blocksize'", "block size \"big\"")]
    [InlineData("DELETE FROM Configuration WHERE Key = 'blocksize'", "block size \"\"")]
    [InlineData("UPDATE Configuration SET Value = 'CRC32' WHERE Key = 'blockhash'", "block hash \"CRC32\"")]
    [InlineData("DELETE FROM Configuration WHERE Key = 'filehash'", "file hash \"\"")]
    public async Task Settings_that_cannot_be_are_refused(string change, string part)
    {
        using DatabaseWorkspace work = new();
        work.Sql(change);
        RestoreException failure = await work.FailToOpenAsync();
        Assert.Equal(RestoreErrorKind.Failed, failure.Kind);
        Assert.Contains(part, failure.What, StringComparison.Ordinal);
    }

    private static List<RestoreIssue> Warnings(RestoreReport report) =>
        [.. report.Issues.Where(issue => issue.Kind == IssueKind.Warning)];

    private static void AssertWarning(RestoreReport report, string path, string reason) =>
        Assert.Contains(
            report.Issues,
            issue => (issue.Kind, issue.Path, issue.Reason) == (IssueKind.Warning, path, reason)
        );
}
