using Restore.Tests.Support.Machine;

namespace Restore.Tests.Catalog.Database;

/// <summary>An impossible row costs only its own entry, which is reported.</summary>
public sealed class EntryReaderTests
{
    private const string Root = "/tmp/fx/src/with-database/data/";

    [Theory]
    [InlineData("Length = -5", "It is -5 bytes long by the database, which is impossible")]
    [InlineData("FullHash = 'AAAA'", "Its hash in the database is not a SHA256 hash")]
    [InlineData(
        "FullHash = 'not base64, but of about the length of a hash'",
        "Its hash in the database is not a SHA256 hash"
    )]
    [InlineData(
        "Length = 1000000000000000",
        "It is 1,000,000,000,000,000 bytes long by the database, which does not list as many blocks as that takes"
    )]
    [InlineData(
        "Length = 9223372036854775807",
        "It is 9,223,372,036,854,775,807 bytes long by the database, which does not list as many blocks as that takes"
    )]
    [InlineData("ID = 777777", "The database does not say what is in it")]
    public Task A_content_that_cannot_be_is_refused(string change, string reason) =>
        AssertOnlyAsync(
            $"UPDATE Blockset SET {change} WHERE ID = (SELECT BlocksetID FROM FileLookup WHERE Path = 'block.bin')",
            "block.bin",
            IssueKind.Refused,
            reason
        );

    [Theory]
    [InlineData("UPDATE BlocksetEntry SET \"Index\" = 7 WHERE \"Index\" = 0 AND BlocksetID = {0}")]
    [InlineData("DELETE FROM BlocksetEntry WHERE \"Index\" = 1 AND BlocksetID = {0}")]
    [InlineData("INSERT INTO BlocksetEntry VALUES ({0}, 3, 1)")]
    public Task A_content_whose_blocks_are_not_all_listed_is_refused(string change) =>
        AssertOnlyAsync(
            string.Format(
                null,
                change,
                "(SELECT BlocksetID FROM FileLookup JOIN FilesetEntry ON FileID = ID WHERE Path = 'blocks.bin' AND FilesetID = 2)"
            ),
            "blocks.bin",
            IssueKind.Refused,
            "It is 204,817 bytes long by the database, which does not list as many blocks as that takes"
        );

    [Theory]
    [InlineData("UPDATE FileLookup SET BlocksetID = -300 WHERE Path = 'block.bin'")]
    [InlineData("UPDATE FileLookup SET BlocksetID = 777777 WHERE Path = 'block.bin'")]
    public Task An_entry_of_no_known_kind_is_refused(string change) =>
        AssertOnlyAsync(change, "block.bin", IssueKind.Refused, "The database does not say what is in it");

    [Fact]
    public async Task Paths_that_are_missing_or_no_text_are_refused()
    {
        using DatabaseWorkspace work = WithoutLists();
        long lost = work.Number("SELECT ID FROM FileLookup WHERE Path = 'block.bin'");
        work.Sql(
            """
            DELETE FROM FileLookup WHERE Path = 'block.bin';
            UPDATE FileLookup SET Path = CAST(X'66FF67' AS TEXT) WHERE Path = '..foo';
            UPDATE FileLookup SET Path = 'a' || zeroblob(1100000) WHERE Path = 'old';
            """
        );
        RestoreReport report = await work.RestoreAsync();
        long tooLong = work.Number("SELECT ID FROM FileLookup WHERE length(CAST(Path AS BLOB)) > 1000000");
        Assert.Equal(
            new HashSet<string> { $"entry {lost}", Root + "sub folder/f\ufffdg", $"entry {tooLong}" },
            report.Issues.Where(issue => issue.Kind == IssueKind.Refused).Select(issue => issue.Path).ToHashSet()
        );
        Assert.All(
            report.Issues.Where(issue => issue.Kind == IssueKind.Refused),
            issue => Assert.Equal("Its path in the database is missing, too long, or not Unicode text", issue.Reason)
        );
        work.AssertTree(0, path => path is "block.bin" or "sub folder/..foo" or "old" or "." or "sub folder");
    }

    [Theory]
    [InlineData(
        "DELETE FROM Metadataset WHERE ID = {0}",
        "The metadata is lost: The database does not say what is in it"
    )]
    [InlineData(
        "UPDATE Blockset SET Length = 99999999999 WHERE ID = (SELECT BlocksetID FROM Metadataset WHERE ID = {0})",
        "The metadata is lost: It is 99,999,999,999 bytes long by the database, which is larger than the limit of 1,048,576"
    )]
    public Task Impossible_metadata_is_reported_as_lost(string change, string reason) =>
        AssertOnlyAsync(
            string.Format(null, change, "(SELECT MetadataID FROM FileLookup WHERE Path = 'block.bin')"),
            "block.bin",
            IssueKind.Metadata,
            reason,
            contentIsRestored: true
        );

    [Fact]
    public async Task An_entry_without_metadata_is_restored()
    {
        using DatabaseWorkspace work = WithoutLists();
        work.Sql("UPDATE FileLookup SET MetadataID = -1 WHERE Path = 'block.bin'");
        RestoreReport report = await work.RestoreAsync();
        Assert.True(report.IsComplete);
        Assert.Equal(102400, new FileInfo(Path.Join(work.Target, "block.bin")).Length);
    }

    [Fact]
    [NeedsLinux]
    public async Task An_entry_that_a_filter_leaves_out_is_not_reported()
    {
        using DatabaseWorkspace work = WithoutLists();
        work.Sql(
            "UPDATE Blockset SET Length = -5 WHERE ID = (SELECT BlocksetID FROM FileLookup WHERE Path = 'block.bin')"
        );
        await using Backup backup = await work.OpenAsync();
        EntryFilter filter = EntryFilter.Parse([], [new FilterRule(Include: false, "*/block.bin")]);
        RestorePlan plan = await backup.PlanAsync(
            backup.Versions[0],
            new RestoreOptions { Target = work.Target, Filter = filter }
        );
        Assert.All(plan.Issues, issue => Assert.Equal(IssueKind.Warning, issue.Kind));
    }

    [Fact]
    public async Task A_value_longer_than_any_path_ends_the_run_with_advice()
    {
        using DatabaseWorkspace work = WithoutLists();
        work.Sql("UPDATE FileLookup SET Path = 'a' || zeroblob(5000000) WHERE Path = 'old'");
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => work.RestoreAsync());
        Assert.Equal("The database has a value longer than 4,194,304 bytes, as Duplicati's never do", failure.What);
    }

    /// <summary>A database without the file lists, which would be read instead of it.</summary>
    private static DatabaseWorkspace WithoutLists()
    {
        DatabaseWorkspace work = new();
        work.DeleteVolumes("dlist");
        return work;
    }

    private static async Task AssertOnlyAsync(
        string change,
        string path,
        IssueKind kind,
        string reason,
        bool contentIsRestored = false
    )
    {
        using DatabaseWorkspace work = WithoutLists();
        work.Sql(change);
        RestoreReport report = await work.RestoreAsync();
        RestoreIssue issue = Assert.Single(report.Issues, issue => issue.Kind != IssueKind.Warning);
        Assert.Equal((kind, Root + path, reason), (issue.Kind, issue.Path, issue.Reason));
        Assert.Equal(contentIsRestored, File.Exists(Path.Join(work.Target, path)));
        work.AssertTree(0, other => other == path);
    }
}
