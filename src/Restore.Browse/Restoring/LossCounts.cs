namespace Restore.Browse.Restoring;

/// <summary>
/// Entries of a plan or a report that are not as they were, each kind apart: a lost file is worse
/// than a time that cannot be set.
/// </summary>
internal sealed record LossCounts(long Missing, long Damaged, long Refused, long Metadata)
{
    public static LossCounts Of(IReadOnlyCollection<RestoreIssue> issues) =>
        new(
            issues.LongCount(issue => issue.Kind == IssueKind.Missing),
            issues.LongCount(issue => issue.Kind is IssueKind.Damaged or IssueKind.Doubtful),
            issues.LongCount(issue => issue.Kind == IssueKind.Refused),
            issues.LongCount(issue => issue is { Kind: IssueKind.Metadata, IsLoss: true })
        );
}
