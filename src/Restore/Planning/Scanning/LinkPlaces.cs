using Restore.Planning.Paths;

namespace Restore.Planning.Scanning;

/// <summary>
/// Decides where a link goes: to its own path, or to the first free name beside it if something
/// else must stay there.
/// </summary>
internal sealed class LinkPlaces(
    VersionContent content,
    IRestoreTarget target,
    RestoreOptions options,
    RenameRule renaming
)
{
    /// <summary>
    /// Decides about a link by what is at its path. The target of the link is in its metadata,
    /// which planning does not fetch.
    /// </summary>
    public ScanResult Look(EntryId entry, string path)
    {
        try
        {
            return Find(entry, path, linkTarget: null, out IssueReason refusal) is not string place
                ? new ScanResult(entry, EntryAction.None) { Refusal = refusal.Sentence, RefusalCode = refusal.Code }
                : new ScanResult(
                    entry,
                    target.Inspect(place).Kind == TargetKind.Nothing ? EntryAction.Create : EntryAction.Replace
                );
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return new ScanResult(entry, EntryAction.None)
            {
                Refusal = failure.Reason(),
                RefusalCode = failure.ToIssueCode(),
            };
        }
    }

    /// <summary>Finds the path of a link.</summary>
    /// <param name="linkTarget">The target of the link; null while it is unknown, and then any
    /// existing link may be the right one.</param>
    public string? Find(EntryId entry, string path, string? linkTarget, out IssueReason refusal)
    {
        refusal = default;
        foreach (string candidate in renaming.Candidates(path).Prepend(path))
        {
            TargetStatus status = target.Inspect(candidate);
            if (
                status.Kind == TargetKind.Nothing
                || (
                    status.Kind == TargetKind.Symlink
                    && (linkTarget is null || target.ReadSymlink(candidate) == linkTarget)
                )
            )
            {
                return candidate;
            }

            if (
                status.Kind != TargetKind.Folder
                && Keeping.Stays(options.Keep, content.Entries[entry].TimeTicks, status)
            )
            {
                refusal = new IssueReason(Keeping.Reason(options.Keep), IssueCode.KeptAtTarget);
                return null;
            }

            if (options.Overwrite && status.Kind != TargetKind.Folder)
            {
                return candidate;
            }

            if (status.Kind == TargetKind.Folder && candidate == path)
            {
                refusal = new IssueReason(
                    $"A folder is in the way at {target.Display(path)}",
                    IssueCode.FolderInTheWay
                );
                return null;
            }
        }

        refusal = new IssueReason(
            $"Something else is at {target.Display(path)}, and at all the names to restore it under beside it",
            IssueCode.NamesTaken
        );
        return null;
    }
}
