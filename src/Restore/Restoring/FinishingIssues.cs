using Restore.Planning.Scanning;

namespace Restore.Restoring;

/// <summary>What phase 3 could not do, each with the place of its entry.</summary>
internal sealed class FinishingIssues(RestorePlan plan, IRestoreTarget target, EntryStates states)
{
    public List<RestoreIssue> All { get; } = [];

    /// <summary>Adds a warning about the target as a whole, if there is one.</summary>
    public void Note(string? problem)
    {
        if (problem is not null)
        {
            All.Add(new RestoreIssue(IssueKind.Warning, target.Display(""), problem));
        }
    }

    public void Try(EntryId entry, IssueKind kind, Action action)
    {
        try
        {
            action();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // A link that this user may not create can be created later, because the backup has all
            // of it.
            IssueCode code = failure.ToIssueCode();
            Report(entry, code == IssueCode.LinkNotAllowed ? IssueKind.LeftOut : kind, failure.Reason(), code);
        }
    }

    public void Report(
        EntryId entry,
        IssueKind kind,
        string reason,
        IssueCode code = IssueCode.None,
        bool isMetadataLost = false
    ) =>
        All.Add(
            plan.IssueOf(entry, kind, reason) with
            {
                Code = code,
                TargetPath = target.Display(states.PlaceOf(entry) ?? plan.Pass.Entries.TargetPath(entry)),
                MetadataLost = isMetadataLost,
            }
        );

    /// <summary>Reports that an entry has another name at the target than in the backup.</summary>
    public void ReportRenamed(EntryId entry, string place) =>
        All.Add(TargetScan.Renamed(plan.Pass.Content.PathText(entry), target.Display(place)));
}
