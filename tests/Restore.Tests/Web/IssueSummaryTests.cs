using Restore.Browse.Restoring;

namespace Restore.Tests.Web;

/// <summary>Issues of a restore as the page gets them.</summary>
public sealed class IssueSummaryTests
{
    private static readonly BackupVersion Version = new(
        3,
        DateTimeOffset.UnixEpoch,
        "duplicati-19700101T000000Z.dlist.zip"
    );

    [Fact]
    public void A_hundred_thousand_losses_are_a_hundred_groups_by_folder_the_largest_first()
    {
        IssueSummary summary = IssueSummary.Of(
            Enumerable
                .Range(0, 100_000)
                .Select(i => new RestoreIssue(
                    IssueKind.Missing,
                    $"/home/folder {i % 500 % 250}/file {i}",
                    "All of it is lost"
                ))
                .Select(issue => (issue, Version))
        );
        Assert.Equal((100_000, 0, 0), (summary.Lost, summary.LeftOut, summary.Warnings));
        Assert.Equal(100, summary.Groups.Count);
        Assert.All(
            summary.Groups,
            group => Assert.Equal((400, 20, "All of it is lost"), (group.Count, group.Entries.Count, group.Reason))
        );
    }

    [Fact]
    public void What_is_left_out_is_no_loss_and_comes_after_what_is_lost()
    {
        IssueSummary summary = IssueSummary.Of(
            new RestoreIssue[]
            {
                new(IssueKind.Warning, "duplicati-b1.dblock.zip", "Its directory is damaged"),
                new(IssueKind.LeftOut, "/venv/bin/python", "The link points out"),
                new(IssueKind.Metadata, "/docs/owner", "Only root can set it"),
                new(IssueKind.Damaged, @"C:\docs\b.txt", "3 bytes are lost") { LostRanges = [new ByteRange(0, 3)] },
                new(IssueKind.Damaged, @"C:\docs\a.txt", "5 bytes are lost")
                {
                    LostRanges = [new ByteRange(0, 5)],
                    LostRangesLeftOut = 7,
                },
            }.Select(issue => (issue, Version)),
            new Dictionary<string, int> { [@"C:\docs\a.txt"] = 1 }
        );
        Assert.Equal((2, 1, 2), (summary.Lost, summary.LeftOut, summary.Warnings));
        Assert.Equal([@"C:\docs\", "/venv/bin/", "/docs/", ""], summary.Groups.Select(group => group.Folder));
        IssueGroup lost = summary.Groups[0];
        Assert.Null(lost.Reason);
        Assert.Equal(
            [("b.txt", "3 bytes are lost", 1L, null), ("a.txt", "5 bytes are lost", 8L, 1)],
            lost.Entries.Select(entry => (entry.Name, entry.Reason!, entry.LostRanges, entry.WholeIn))
        );
    }

    [Fact]
    public void What_is_lost_comes_first_then_damaged_refused_links_and_metadata_each_counted_apart()
    {
        IssueKind[] kinds =
        [
            IssueKind.Warning,
            IssueKind.Metadata,
            IssueKind.LeftOut,
            IssueKind.Refused,
            IssueKind.Damaged,
            IssueKind.Damaged,
            IssueKind.Missing,
        ];
        IssueSummary summary = IssueSummary.Of(
            kinds.Select(
                (kind, i) => (new RestoreIssue(kind, $"/{kind}/{i}", "It is so") { MetadataLost = true }, Version)
            )
        );
        Assert.Equal(new LossCounts(Missing: 1, Damaged: 2, Refused: 1, Metadata: 1), summary.Losses);
        Assert.Equal(
            [
                IssueKind.Missing,
                IssueKind.Damaged,
                IssueKind.Refused,
                IssueKind.LeftOut,
                IssueKind.Metadata,
                IssueKind.Warning,
            ],
            summary.Groups.Select(group => group.Kind)
        );
    }
}
