namespace Restore.Browse.Health;

/// <summary>
/// Which contents are known to be lost or damaged, by path and version: what a check, a plan, a
/// restore or a look at an entry found out in this session. A list shows it before anybody
/// downloads such a file.
/// </summary>
internal sealed class LossMarks
{
    private const int MaxPaths = 1_000_000;

    private readonly Lock gate = new();
    private readonly Dictionary<string, List<(VersionRange Versions, IssueKind Kind)>> marks = new(
        StringComparer.Ordinal
    );

    public bool IsEmpty
    {
        get
        {
            lock (gate)
            {
                return marks.Count == 0;
            }
        }
    }

    public void Add(IEnumerable<RestoreIssue> issues, BackupVersion version)
    {
        lock (gate)
        {
            foreach (RestoreIssue issue in issues.Where(IsOfContent))
            {
                VersionRange range = issue.Versions ?? new VersionRange(version.Index, version.Index);
                if (!marks.TryGetValue(issue.Path, out List<(VersionRange Versions, IssueKind Kind)>? known))
                {
                    if (marks.Count >= MaxPaths)
                    {
                        return;
                    }

                    marks[issue.Path] = known = [];
                }

                if (!known.Contains((range, issue.Kind)))
                {
                    known.Add((range, issue.Kind));
                }
            }
        }
    }

    /// <summary>
    /// Null if nothing is known to be wrong. OtherIn is the nearest version with another content
    /// that is not known to be lost or damaged; null if there is no such version.
    /// </summary>
    public LossMark? Of(string path, int version, IReadOnlyList<NodeState> states)
    {
        lock (gate)
        {
            if (!marks.TryGetValue(path, out List<(VersionRange Versions, IssueKind Kind)>? known))
            {
                return null;
            }

            NodeState[] lost = [.. states.Where(state => known.Exists(mark => Overlaps(mark.Versions, state)))];
            if (!Array.Exists(lost, state => state.Newest <= version && version <= state.Oldest))
            {
                return null;
            }

            // The same content is lost wherever it is.
            int[] others =
            [
                .. states
                    .Where(state => state.Entry.Kind == BackupEntryKind.File)
                    .Where(state => !Array.Exists(lost, one => one.Entry.HasContentOf(state.Entry)))
                    .Select(state => Math.Clamp(version, state.Newest, state.Oldest))
                    .OrderBy(index => Math.Abs(index - version)),
            ];
            return new LossMark(
                known.Exists(IsAllOfIt) ? IssueKind.Missing : IssueKind.Damaged,
                others.Length > 0 ? others[0] : null
            );

            bool IsAllOfIt((VersionRange Versions, IssueKind Kind) mark) =>
                mark.Kind == IssueKind.Missing && mark.Versions.Newest <= version && version <= mark.Versions.Oldest;
        }
    }

    private static bool Overlaps(VersionRange range, in NodeState state) =>
        range.Newest <= state.Oldest && state.Newest <= range.Oldest;

    /// <summary>
    /// Whether content of the backup is lost. A target that may have lost it (Doubtful), or a link
    /// without its metadata, says nothing about that.
    /// </summary>
    private static bool IsOfContent(RestoreIssue issue) =>
        issue.Kind is IssueKind.Missing or IssueKind.Damaged
        && (issue.LostRanges.Count > 0 || issue.LostRangesLeftOut > 0 || issue.Unverified);
}
