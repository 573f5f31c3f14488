namespace Restore.Tests;

public sealed class IssueLogTests
{
    [Fact]
    public void Issues_from_several_threads_are_all_kept()
    {
        IssueLog log = new();
        Parallel.For(
            0,
            20_000,
            new ParallelOptions { MaxDegreeOfParallelism = 8 },
            number => log.Add(new RestoreIssue(IssueKind.Refused, $"{number}", "refused"))
        );
        log.AddRange([new RestoreIssue(IssueKind.Warning, "last", "warning")]);
        IReadOnlyList<RestoreIssue> issues = log.ToList();
        Assert.Equal(20_001, issues.Select(issue => issue.Path).Distinct().Count());
        Assert.Equal("last", issues[^1].Path);
    }

    [Fact]
    public void What_is_more_than_a_report_can_list_is_counted_by_kind()
    {
        IssueLog log = new();
        for (int i = 0; i < 100_000; i++)
        {
            log.Add(new RestoreIssue(IssueKind.Refused, $"/{i}", "It is refused"));
        }

        Assert.Equal(100_000, log.ToList().Count);
        log.AddRange(Enumerable.Repeat(new RestoreIssue(IssueKind.Damaged, "/a", "It is damaged"), 3));
        log.Add(new RestoreIssue(IssueKind.Warning, "/a", "It is odd"));
        Assert.Equal(
            [(IssueKind.Damaged, "and 3 more"), (IssueKind.Warning, "and 1 more")],
            log.ToList().Skip(100_000).Select(issue => (issue.Kind, issue.Path))
        );

        IssueLog manyRanges = new();
        ByteRange[] ranges = [.. Enumerable.Repeat(new ByteRange(0, 1), 60_000)];
        manyRanges.AddRange(
            Enumerable.Repeat(new RestoreIssue(IssueKind.Damaged, "/a", "It is damaged") { LostRanges = ranges }, 3)
        );
        Assert.Equal(
            [(60_000, 0L), (40_000, 20_000L), (0, 60_000L)],
            manyRanges.Select(issue => (issue.LostRanges.Count, issue.LostRangesLeftOut))
        );

        IssueLog longTexts = new();
        longTexts.AddRange(
            Enumerable.Repeat(new RestoreIssue(IssueKind.Refused, new string('a', 1 << 20), "It is refused"), 100)
        );
        Assert.InRange(longTexts.ToList().Count, 10, 30);
    }
}
