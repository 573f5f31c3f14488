using Restore.Catalog;
using Restore.Ends;
using Restore.Format;
using Restore.Planning.Paths;
using Restore.Planning.Scanning;

namespace Restore.Restoring;

/// <summary>Phase 3: creates the links, when all files are written, then sets times and permissions of folders, children before parents.</summary>
internal sealed class Finishing(
    RestorePlan plan, IRestoreTarget target, EntryStates states, RenameRule renaming, EntryResults results, LeftOutAttributes leftOut)
{
    private const int MaxShownChars = 1000;

    private readonly LinkPlaces places = new(target, renaming, plan.Options.Overwrite);

    public List<RestoreIssue> Issues { get; } = [];

    public long Folders { get; private set; }

    public long Symlinks { get; private set; }

    public void Finish(IEnumerable<FileOutcome> deferred, CancellationToken cancellationToken)
    {
        // Of an entry with several passes the last outcome counts; its metadata is in one of them.
        Dictionary<EntryId, FileOutcome> outcomes = [];
        foreach (FileOutcome outcome in deferred)
        {
            outcomes[outcome.Entry] = outcome.Metadata is null && outcomes.TryGetValue(outcome.Entry, out FileOutcome? earlier) && earlier.Metadata is not null
                ? outcome with { Metadata = earlier.Metadata, HasMetadata = true }
                : outcome;
        }

        ILookup<bool, FileOutcome> byKind = outcomes.Values.ToLookup(outcome => plan.Pass.Content.Entries[outcome.Entry].Kind == EntryKind.Symlink);
        foreach (FileOutcome link in byKind[true])
        {
            cancellationToken.ThrowIfCancellationRequested();
            Try(link.Entry, IssueKind.Refused, () => CreateLink(link));
        }

        // Sorted by the number of path components: deeper folders first.
        foreach (FileOutcome folder in byKind[false].OrderByDescending(folder => plan.Pass.Entries.TargetPath(folder.Entry).Count('/')))
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
        string path = plan.Pass.Entries.TargetPath(link.Entry);
        if (link.Metadata?.SymlinkTarget is not { Length: > 0 } linkTarget)
        {
            if (link.HasMetadata)
            {
                Report(link.Entry, IssueKind.Refused, "The metadata of the link has no target");
            }

            return;
        }

        if (plan.Options is { Target: not null, AllowRestoreOutsideTargetDirectory: false } && !target.IsInside(path, linkTarget))
        {
            string shown = linkTarget.Length > MaxShownChars ? linkTarget[..MaxShownChars] + "…" : linkTarget;
            string reason = $"The link points outside of the target folder, to {shown}, and was left out";
            Report(link.Entry, IssueKind.Refused, reason, IssueCode.LinkOutsideTarget);
            return;
        }

        if (places.Find(path, linkTarget, out IssueReason refusal) is not string place)
        {
            Report(link.Entry, IssueKind.Refused, refusal.Sentence, refusal.Code);
            return;
        }

        if (target.Inspect(place).Kind != TargetKind.Nothing && new OtherNames(target).Find(place) is string other)
        {
            Report(link.Entry, IssueKind.Refused, OtherNames.Refusal(other));
            return;
        }

        bool isFolderLink = plan.Pass.Content.PathText(link.Entry)[^1] is '/' or '\\';
        target.CreateSymlink(place, linkTarget, isFolderLink, replace: plan.Options.Overwrite);
        Symlinks++;
        states.SetStarted(link.Entry);
        results.Report(link.Entry, EntryResultKind.Restored);
        if (place != path)
        {
            Issues.Add(TargetScan.Renamed(plan.Pass.Content.PathText(link.Entry), target.Display(place)));
        }

        Apply(link.Entry, link.Metadata);
    }

    private void Apply(EntryId entry, EntryMetadata metadata)
    {
        string path = plan.Pass.Entries.TargetPath(entry);
        leftOut.Note(entry, metadata);
        foreach (string problem in metadata.Unusable)
        {
            Report(entry, IssueKind.Metadata, problem, isMetadataLost: true);
        }

        foreach (string problem in target.ApplyMetadata(path, metadata, plan.Options.RestorePermissions))
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

    private void Report(EntryId entry, IssueKind kind, string reason, IssueCode code = IssueCode.None, bool isMetadataLost = false) => Issues.Add(
        new RestoreIssue(kind, plan.Pass.Content.PathText(entry), reason)
        {
            Code = code,
            TargetPath = target.Display(plan.Pass.Entries.TargetPath(entry)),
            Versions = plan.Pass.Content.VersionsOf(entry),
            MetadataLost = isMetadataLost,
        });
}
