namespace Restore.Browse.Restoring;

/// <summary>
/// The issues of a plan or a report by folder, worst first: a lost volume can mean a hundred
/// thousand lines of the same kind.
/// </summary>
internal sealed record IssueSummary(
    long Lost,
    LossCounts Losses,
    long LeftOut,
    long Warnings,
    IReadOnlyList<IssueGroup> Groups
)
{
    private const int MaxGroups = 100;
    private const int MaxEntries = 20;
    private const int MaxRanges = 10;

    // What is gone comes before what is there in part, and both before what was not tried.
    private static readonly IssueKind[] WorstFirst =
    [
        IssueKind.Missing,
        IssueKind.Damaged,
        IssueKind.Doubtful,
        IssueKind.Refused,
        IssueKind.LeftOut,
        IssueKind.Metadata,
        IssueKind.Warning,
    ];

    public static IssueSummary Of(
        IEnumerable<(RestoreIssue Issue, BackupVersion Version)> issues,
        IReadOnlyDictionary<string, int>? wholeIn = null
    )
    {
        (RestoreIssue Issue, BackupVersion Version)[] known = [.. issues];
        Dictionary<Severity, long> counts = [];
        List<IssueGroup> groups = [];
        foreach (
            var group in known
                .GroupBy(one => (Severity: SeverityOf(one.Issue), one.Issue.Kind, Folder: FolderOf(one.Issue)))
                .OrderBy(group => Array.IndexOf(WorstFirst, group.Key.Kind))
                .ThenBy(group => group.Key.Severity)
                .ThenByDescending(group => group.Count())
        )
        {
            (RestoreIssue Issue, BackupVersion Version)[] all = [.. group];
            counts[group.Key.Severity] = counts.GetValueOrDefault(group.Key.Severity) + all.Length;
            if (groups.Count < MaxGroups)
            {
                string? reason = Array.TrueForAll(all, one => one.Issue.Reason == all[0].Issue.Reason)
                    ? all[0].Issue.Reason
                    : null;
                groups.Add(
                    new IssueGroup(
                        group.Key.Severity,
                        group.Key.Kind,
                        group.Key.Folder,
                        reason,
                        all.Length,
                        [
                            .. all.Take(MaxEntries)
                                .Select(one => Describe(one.Issue, one.Version, group.Key.Folder, reason, wholeIn)),
                        ]
                    )
                );
            }
        }

        return new IssueSummary(
            counts.GetValueOrDefault(Severity.Lost),
            LossCounts.Of([.. known.Select(one => one.Issue)]),
            counts.GetValueOrDefault(Severity.LeftOut),
            counts.GetValueOrDefault(Severity.Warning),
            groups
        );
    }

    /// <summary>The entries of one group, all of them.</summary>
    public static IReadOnlyList<IssueAnswer> EntriesOf(
        IEnumerable<(RestoreIssue Issue, BackupVersion Version)> issues,
        Severity severity,
        IssueKind kind,
        string folder
    ) =>
        [
            .. issues
                .Where(one =>
                    SeverityOf(one.Issue) == severity && one.Issue.Kind == kind && FolderOf(one.Issue) == folder
                )
                .Select(one => Describe(one.Issue, one.Version, folder, reason: null, wholeIn: null)),
        ];

    /// <summary>
    /// The folder of an entry, with the separator at its end; empty for an issue about a volume.
    /// </summary>
    public static string FolderOf(RestoreIssue issue) => EntryPath.FolderOf(issue.Path);

    private static Severity SeverityOf(RestoreIssue issue) =>
        issue.IsLoss ? Severity.Lost
        : issue.Kind == IssueKind.LeftOut ? Severity.LeftOut
        : Severity.Warning;

    private static IssueAnswer Describe(
        RestoreIssue issue,
        BackupVersion version,
        string folder,
        string? reason,
        IReadOnlyDictionary<string, int>? wholeIn
    ) =>
        new(
            issue.Path,
            issue.Path[folder.Length..],
            issue.Reason == reason ? null : issue.Reason,
            [.. issue.LostRanges.Take(MaxRanges)],
            issue.LostRanges.Count + issue.LostRangesLeftOut,
            wholeIn is not null && wholeIn.TryGetValue(issue.Path, out int whole) ? whole : null,
            issue.Versions?.Newest ?? version.Index
        );
}
