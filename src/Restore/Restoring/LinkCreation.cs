using Restore.Planning.Paths;
using Restore.Planning.Scanning;
using Restore.Resume;

namespace Restore.Restoring;

/// <summary>
/// Creates the links, when all files are written: no file can be written through one.
/// </summary>
internal sealed class LinkCreation(
    RestorePlan plan,
    IRestoreTarget target,
    EntryStates states,
    RunRecord record,
    RenameRule renaming,
    EntryResults results,
    FinishingIssues issues,
    EntryMetadataWriter metadata
)
{
    private const int MaxShownChars = 1000;

    private readonly LinkPlaces places = new(plan.Pass.Content, target, plan.Options, renaming);
    private HashSet<string>? roots;

    public long Count { get; private set; }

    /// <summary>
    /// Creates a link, unless it is there already, leads outside of the target, or its place is
    /// taken.
    /// </summary>
    public void Create(FileOutcome link)
    {
        string path = plan.Pass.Entries.TargetPath(link.Entry);
        if (link.Metadata?.SymlinkTarget is not { Length: > 0 } linkTarget)
        {
            if (link.HasMetadata)
            {
                issues.Report(link.Entry, IssueKind.Refused, "The metadata of the link has no target");
            }

            return;
        }

        bool isElsewhere = false;

        // Windows finds nothing by a link with the other separator, as backups of other systems
        // have it.
        linkTarget = OperatingSystem.IsWindows()
            ? linkTarget.Replace('/', '\\')
            : FromWindows(link.Entry, linkTarget, out isElsewhere) ?? linkTarget;
        // A link that is there already is not created, wherever it leads. If it leads to itself, it
        // could not be followed.
        if (plan.LeavesOutLinks && !IsThere(path, linkTarget) && !target.IsInside(path, linkTarget))
        {
            string reason = $"The link points outside of the target folder, to '{Shown(linkTarget)}'";
            issues.Report(link.Entry, IssueKind.LeftOut, reason, IssueCode.LinkOutsideTarget);
            return;
        }

        if (places.Find(link.Entry, path, linkTarget, out IssueReason refusal) is not string place)
        {
            issues.Report(link.Entry, Keeping.KindOf(refusal.Code), refusal.Sentence, refusal.Code);
            return;
        }

        if (target.Inspect(place).Kind != TargetKind.Nothing && new OtherNames(target).Find(place) is string other)
        {
            issues.Report(link.Entry, IssueKind.Refused, OtherNames.Refusal(other));
            return;
        }

        bool isMade = Place(link.Entry, place, linkTarget, IsFolderLink(link));
        Count++;
        states.SetStarted(link.Entry);
        results.Report(link.Entry, EntryResultKind.Restored);
        if (place != path)
        {
            issues.ReportRenamed(link.Entry, place);
        }

        if (isElsewhere && isMade)
        {
            string reason =
                $"The link points to '{Shown(linkTarget)}', which is a place of Windows and not in the restored tree: it leads nowhere here";
            issues.Report(link.Entry, IssueKind.Warning, reason);
        }

        if (isMade || plan.Options.Overwrite)
        {
            metadata.Apply(link.Entry, place, link.Metadata);
        }
    }

    private bool IsThere(string place, string linkTarget) =>
        target.Inspect(place).Kind == TargetKind.Symlink && target.ReadSymlink(place) == linkTarget;

    private static string Shown(string linkTarget) =>
        linkTarget.Length > MaxShownChars ? linkTarget[..MaxShownChars] + "…" : linkTarget;

    /// <summary>
    /// The target of a link of a Windows backup for this system; null if it stays as it is.
    /// </summary>
    /// <param name="isElsewhere">Whether it is a place of Windows to which nothing is
    /// restored.</param>
    private string? FromWindows(EntryId entry, string linkTarget, out bool isElsewhere)
    {
        PathMapSettings paths = plan.Pass.Entries.Paths.Settings;
        isElsewhere = false;
        if (paths.Style != PathStyle.Windows)
        {
            return null;
        }

        string? translated = WindowsLink.Translate(
            plan.Pass.Content.PathText(entry),
            linkTarget,
            paths.PrefixLength,
            HasRoot
        );
        isElsewhere = translated is null;
        return translated;
    }

    private bool HasRoot(string name)
    {
        roots ??= [.. plan.Pass.Included().Select(entry => plan.Pass.Entries.TargetPath(entry).Split('/', 2)[0])];
        return roots.Contains(name);
    }

    /// <summary>
    /// Creates a link, or replaces what is there in one step. A link that is right already stays as
    /// it is.
    /// </summary>
    /// <returns>Whether it was created.</returns>
    private bool Place(EntryId entry, string place, string linkTarget, bool isFolderLink)
    {
        if (IsThere(place, linkTarget))
        {
            return false;
        }

        TargetKind present = target.Inspect(place).Kind;
        if (present == TargetKind.Nothing)
        {
            target.CreateSymlink(place, linkTarget, isFolderLink);
            return true;
        }

        // The record names the temporary link first, so that the next run can remove it if this one
        // is killed.
        record.Intend(entry);
        string temporary = record.PartialOf(entry);
        try
        {
            // A link can be there although its creation failed: what a file system does last may
            // fail too.
            target.CreateSymlink(temporary, linkTarget, isFolderLink);
            target.Rename(temporary, place, plan.Options.RestorePermissions);
            return true;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or RestoreException)
        {
            record.KeepAfter(ExceptionReason.Attempt(() => target.DeleteFile(temporary)));
            throw;
        }
    }

    // Windows has links to files and links to folders. The path of a link to a folder ends with a
    // separator in the list.
    private bool IsFolderLink(FileOutcome link) =>
        plan.Pass.Content.PathText(link.Entry)[^1] is '/' or '\\'
        || link.Metadata?.Attributes?.HasFlag(FileAttributes.Directory) == true;
}
