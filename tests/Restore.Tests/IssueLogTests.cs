namespace Restore.Tests;

public sealed class IssueLogTests
{
    [Fact]
    public void Issues_from_several_threads_are_all_kept()
    {
        IssueLog log = new();
        Parallel.For(0, 20_000, new ParallelOptions { MaxDegreeOfParallelism = 8 }, number =>
            log.Add(new RestoreIssue(IssueKind.Refused, $"{number}", "refused")));
        log.AddRange([new RestoreIssue(IssueKind.Warning, "last", "warning")]);
        IReadOnlyList<RestoreIssue> issues = log.ToList();
        Assert.Equal(20_001, issues.Select(issue => issue.Path).Distinct().Count());
        Assert.Equal("last", issues[^1].Path);
    }
}
