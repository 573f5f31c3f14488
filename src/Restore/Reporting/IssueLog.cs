using System.Collections;

namespace Restore.Reporting;

/// <summary>
/// Collects issues from any number of threads. A backup can cause millions of issues. The log keeps
/// as many as a report can show, and counts the others by kind.
/// </summary>
internal sealed class IssueLog : IEnumerable<RestoreIssue>
{
    // Some hundred bytes each; the texts come from the backup, so they count too.
    private const int MaxIssues = 100_000;
    private const long MaxChars = 24 << 20;

    private readonly Lock gate = new();
    private readonly List<RestoreIssue> issues = [];
    private readonly SortedDictionary<(IssueKind Kind, bool MetadataLost), long> leftOut = [];
    private long chars;
    private int rangesLeft = MaxIssues;
    private int volumesLeft = MaxIssues;

    /// <summary>
    /// Whether one of the file lists that were read is partial: its backup was stopped before its
    /// end.
    /// </summary>
    public bool HasPartialList { get; set; }

    public void Add(RestoreIssue issue)
    {
        lock (gate)
        {
            AddLocked(issue);
        }
    }

    public void AddRange(IEnumerable<RestoreIssue> more)
    {
        foreach (RestoreIssue issue in more)
        {
            Add(issue);
        }
    }

    /// <summary>
    /// The issues so far, and for each kind that has more of them an issue with their number.
    /// </summary>
    public IReadOnlyList<RestoreIssue> ToList()
    {
        lock (gate)
        {
            return
            [
                .. issues,
                .. leftOut.Select(rest =>
                    Rest(rest.Key.Kind, rest.Value) with
                    {
                        MetadataLost = rest.Key.MetadataLost,
                    }
                ),
            ];
        }
    }

    public IEnumerator<RestoreIssue> GetEnumerator() => ToList().GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private static RestoreIssue Rest(IssueKind kind, long count) =>
        new(kind, $"and {count:N0} more", "More issues of this kind than a report lists one by one");

    /// <summary>One file can lose millions of ranges.</summary>
    private RestoreIssue Bounded(RestoreIssue issue)
    {
        (int ranges, int volumes) = (
            Math.Min(rangesLeft, issue.LostRanges.Count),
            Math.Min(volumesLeft, issue.Volumes.Count)
        );
        rangesLeft -= ranges;
        volumesLeft -= volumes;
        return ranges == issue.LostRanges.Count && volumes == issue.Volumes.Count
            ? issue
            : issue with
            {
                LostRanges = [.. issue.LostRanges.Take(ranges)],
                LostRangesLeftOut = issue.LostRangesLeftOut + issue.LostRanges.Count - ranges,
                Volumes = [.. issue.Volumes.Take(volumes)],
                VolumesLeftOut = issue.VolumesLeftOut + issue.Volumes.Count - volumes,
            };
    }

    private void AddLocked(RestoreIssue issue)
    {
        long length = issue.Path.Length + issue.Reason.Length + (issue.TargetPath?.Length ?? 0);

        // The paths come from the backup. A hostile one has few issues with very long paths, so the
        // number alone is no limit.
        if (issues.Count < MaxIssues && chars + length <= MaxChars)
        {
            chars += length;
            issues.Add(Bounded(issue));
            return;
        }

        leftOut[(issue.Kind, issue.MetadataLost)] = leftOut.GetValueOrDefault((issue.Kind, issue.MetadataLost)) + 1;
    }
}
