using Restore.Catalog;
using Restore.Ends;
using Restore.Format;
using Restore.Planning.Paths;

namespace Restore.Restoring;

/// <summary>Phase 3: creates the links, now that nothing more is written, then sets times and permissions of folders, children before parents.</summary>
internal sealed class Finishing(PreparedRestore prepared, IRestoreTarget target, EntryStates states)
{
    public List<RestoreIssue> Issues { get; } = [];

    public long Folders { get; private set; }

    public long Symlinks { get; private set; }

    public void Finish(IEnumerable<FileOutcome> deferred, CancellationToken cancellationToken)
    {
        // Of an entry that took several passes, the last word counts; its metadata is in one of them.
        Dictionary<EntryId, FileOutcome> outcomes = [];
        foreach (FileOutcome outcome in deferred)
        {
            outcomes[outcome.Entry] = outcome.Metadata is null && outcomes.TryGetValue(outcome.Entry, out FileOutcome? earlier) && earlier.Metadata is not null
                ? outcome with { Metadata = earlier.Metadata, HasMetadata = true }
                : outcome;
        }

        ILookup<bool, FileOutcome> byKind = outcomes.Values.ToLookup(outcome => prepared.Content.Entries[outcome.Entry].Kind == EntryKind.Symlink);
        foreach (FileOutcome link in byKind[true])
        {
            cancellationToken.ThrowIfCancellationRequested();
            Try(link.Entry, IssueKind.Refused, () => CreateLink(link));
        }

        // A folder's own number of components decides: deeper ones first.
        foreach (FileOutcome folder in byKind[false].OrderByDescending(folder => prepared.Entries.TargetPath(folder.Entry).Count('/')))
        {
            cancellationToken.ThrowIfCancellationRequested();
            Folders++;
            if (folder.Metadata is not null)
            {
                Try(folder.Entry, IssueKind.Metadata, () => Apply(folder.Entry, folder.Metadata));
            }
        }
    }

    private void CreateLink(FileOutcome link)
    {
        string path = prepared.Entries.TargetPath(link.Entry);
        if (link.Metadata?.SymlinkTarget is not { Length: > 0 } linkTarget)
        {
            if (link.HasMetadata)
            {
                Report(link.Entry, IssueKind.Refused, "The metadata of the link does not say what it points to");
            }

            return;
        }

        if (prepared.Options is { Target: not null, AllowRestoreOutsideTargetDirectory: false } && !target.IsInside(path, linkTarget))
        {
            string reason = $"The link points outside of the target folder, to {linkTarget}, and was left out";
            Report(link.Entry, IssueKind.Warning, reason, IssueCode.LinkOutsideTarget);
            return;
        }

        if (FindPlace(link.Entry, path, linkTarget) is not string place)
        {
            return;
        }

        bool isFolderLink = prepared.Content.PathText(link.Entry)[^1] is '/' or '\\';
        target.CreateSymlink(place, linkTarget, isFolderLink, replace: prepared.Options.Overwrite);
        Symlinks++;
        states.SetStarted(link.Entry);
        Apply(link.Entry, link.Metadata);
    }

    /// <summary>Where the link goes: its own path, or, when something else is there that must stay, the first free name beside it.</summary>
    private string? FindPlace(EntryId entry, string path, string linkTarget)
    {
        RenameRule renaming = new(prepared.Version.Time, prepared.Session.Options.TimeProvider.LocalTimeZone);
        foreach (string candidate in renaming.Candidates(path).Prepend(path))
        {
            TargetStatus status = target.Inspect(candidate);
            if (status.Kind == TargetKind.Symlink && target.ReadSymlink(candidate) == linkTarget)
            {
                return candidate;
            }

            if (status.Kind == TargetKind.Nothing || (prepared.Options.Overwrite && status.Kind != TargetKind.Folder))
            {
                return candidate;
            }

            if (status.Kind == TargetKind.Folder && candidate == path)
            {
                Report(entry, IssueKind.Refused, $"A folder is in the way at {target.Display(path)}", IssueCode.FolderInTheWay);
                return null;
            }
        }

        string reason = $"Something else is at {target.Display(path)}, and at all the names to restore it under beside it";
        Report(entry, IssueKind.Refused, reason, IssueCode.NamesTaken);
        return null;
    }

    private void Apply(EntryId entry, EntryMetadata metadata)
    {
        string path = prepared.Entries.TargetPath(entry);
        states.SetHasMetadata(entry);
        foreach (string problem in metadata.Unusable.Concat(target.ApplyMetadata(path, metadata, prepared.Options.RestorePermissions)))
        {
            Report(entry, IssueKind.Metadata, problem);
        }
    }

    private void Try(EntryId entry, IssueKind kind, Action action)
    {
        try
        {
            action();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            Report(entry, kind, failure.Reason(), failure.ToIssueCode());
        }
    }

    private void Report(EntryId entry, IssueKind kind, string reason, IssueCode code = IssueCode.None) => Issues.Add(
        new RestoreIssue(kind, prepared.Content.PathText(entry), reason) { Code = code, TargetPath = target.Display(prepared.Entries.TargetPath(entry)) });
}
