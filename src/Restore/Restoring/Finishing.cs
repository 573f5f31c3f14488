using Restore.Ends;
using Restore.Planning.Paths;
using Restore.Planning.Scanning;
using Restore.Resume;

namespace Restore.Restoring;

/// <summary>
/// Phase 3: creates the links, when all files are written, then sets times and permissions of
/// folders, children before parents.
/// </summary>
internal sealed class Finishing(
    RestorePlan plan,
    IRestoreTarget target,
    EntryStates states,
    RunRecord record,
    RenameRule renaming,
    EntryResults results,
    LeftOutAttributes leftOut
)
{
    private const int MaxShownChars = 1000;

    // The mode of a folder: all rights for its owner.
    private const int LostMode = 0x1C0;

    private readonly LinkPlaces places = new(plan.Pass.Content, target, plan.Options, renaming);
    private readonly OwnerMap? owners = OwnerMap.Of(plan.Options);
    private readonly HashSet<string> leftByEarlierRun = [];
    private readonly HashSet<string> leftUnfinished = new(StringComparer.Ordinal);
    private readonly NamedStreams streams = new(plan, target, states);
    private HashSet<string>? pathsWithLostMetadata;
    private HashSet<string>? roots;
    private FileOutcome? last;

    public List<RestoreIssue> Issues { get; } = [];

    public long Folders { get; private set; }

    public long Symlinks { get; private set; }

    /// <summary>
    /// One outcome for each entry: the outcome of the last pass counts; the metadata is in the
    /// outcome of one of the passes.
    /// </summary>
    public static IReadOnlyCollection<FileOutcome> Fold(IEnumerable<FileOutcome> deferred)
    {
        Dictionary<EntryId, FileOutcome> outcomes = [];
        foreach (FileOutcome outcome in deferred)
        {
            outcomes[outcome.Entry] =
                outcome.Metadata is null
                && outcomes.TryGetValue(outcome.Entry, out FileOutcome? earlier)
                && earlier.Metadata is not null
                    ? outcome with
                    {
                        Metadata = earlier.Metadata,
                        HasMetadata = true,
                    }
                    : outcome;
        }

        return outcomes.Values;
    }

    public void Finish(IEnumerable<FileOutcome> deferred, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        KeepDamaged();
        if (Issues.Exists(issue => issue.Code == IssueCode.DamagedBeside))
        {
            // Only the report says where the damaged files are.
            cancellationToken = CancellationToken.None;
        }

        streams.PutInPlace(
            (entry, failure) => Report(entry, IssueKind.Warning, failure.Reason(), failure.ToIssueCode()),
            cancellationToken
        );
        ILookup<bool, FileOutcome> byKind = Fold(deferred)
            .ToLookup(outcome => plan.Pass.Content.Entries[outcome.Entry].Kind == EntryKind.Symlink);
        foreach (FileOutcome link in byKind[true])
        {
            cancellationToken.ThrowIfCancellationRequested();
            Try(link.Entry, IssueKind.Refused, () => CreateLink(link));
        }

        // Sorted by the number of path components: deeper folders first.
        foreach (
            FileOutcome folder in byKind[false]
                .OrderByDescending(folder => plan.Pass.Entries.TargetPath(folder.Entry).Count('/'))
        )
        {
            cancellationToken.ThrowIfCancellationRequested();
            Folders += plan.Pass.Content.IsAbove(folder.Entry) ? 0 : 1;
            if (plan.Pass.Entries.TargetPath(folder.Entry) == record.Folder)
            {
                // The record is in this folder, and its removal changes the time of the folder.
                last = folder;
            }
            else
            {
                Finish(folder);
            }
        }
    }

    /// <summary>
    /// Finishes the folder of the record, when the record is gone, and the folders that have no
    /// entry.
    /// </summary>
    /// <param name="afterInterruption">Whether an interrupted run may have left folders.</param>
    public void FinishLast(bool afterInterruption)
    {
        if (last is not null)
        {
            Finish(last);
        }

        try
        {
            target.FinishFolders(afterInterruption ? Parents() : [], leftUnfinished);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            Note($"Some folders are open to their owner alone: {failure.Reason()}");
        }
    }

    private HashSet<string> Parents()
    {
        HashSet<string> parents = [""];
        foreach (EntryId entry in plan.Pass.Included())
        {
            string path = plan.Pass.Entries.TargetPath(entry);
            while (path.LastIndexOf('/') is var slash and > 0 && parents.Add(path[..slash]))
            {
                path = path[..slash];
            }
        }

        return parents;
    }

    /// <summary>Adds a warning about the target as a whole, if there is one.</summary>
    public void Note(string? problem)
    {
        if (problem is not null)
        {
            Issues.Add(new RestoreIssue(IssueKind.Warning, target.Display(""), problem));
        }
    }

    /// <summary>
    /// Sets the metadata of a folder. A folder above the selection that existed before stays as it
    /// is. If the restore created a folder and its mode is lost, only the owner gets access: the
    /// original mode is unknown. The folder stays marked as unfinished, so that a later restore,
    /// with the missing volume, gives it its mode and time.
    /// </summary>
    private void Finish(FileOutcome folder)
    {
        string path = plan.Pass.Entries.TargetPath(folder.Entry);
        Try(
            folder.Entry,
            IssueKind.Metadata,
            () =>
            {
                bool isMade = target.IsUnfinished(path);
                if (plan.Pass.Content.IsAbove(folder.Entry) && !isMade)
                {
                    return;
                }

                if (folder.Metadata is { } metadata)
                {
                    Apply(
                        folder.Entry,
                        path,
                        isMade && metadata is { Mode: null, Unusable.Count: > 0 }
                            ? metadata with
                            {
                                Mode = LostMode,
                            }
                            : metadata
                    );
                }
                else if (isMade && IsMetadataLost(folder.Entry))
                {
                    leftUnfinished.Add(path);
                }
            }
        );
    }

    private bool IsMetadataLost(EntryId entry)
    {
        pathsWithLostMetadata ??=
        [
            .. plan.PlanningIssues.Where(issue => issue.MetadataLost).Select(issue => issue.Path),
        ];
        return plan.Pass.BringsMetadata(entry) || pathsWithLostMetadata.Contains(plan.Pass.Content.PathText(entry));
    }

    /// <summary>
    /// A file that stayed damaged gets its path if that is free. It does not replace another file:
    /// then it gets a name next to that one.
    /// </summary>
    public void KeepDamaged()
    {
        foreach (EntryId entry in plan.Pass.Included())
        {
            if (
                plan.Pass.WritesFile(entry)
                && states.IsStarted(entry)
                && !states.IsInPlace(entry)
                && FileContext.IsPartial(plan.Pass, plan.Options, entry)
            )
            {
                KeepDamaged(
                    entry,
                    plan.Pass.Entries.TargetPath(entry),
                    FileContext.PartialOf(plan.Pass, record, entry)
                );
            }
        }

        foreach (
            (EntryId entry, string place) in states
                .OtherPlaces.Where(place => states.IsInPlace(place.Key))
                .OrderBy(place => place.Key.Value)
        )
        {
            Issues.Add(TargetScan.Renamed(plan.Pass.Content.PathText(entry), target.Display(place)));
        }
    }

    private void KeepDamaged(EntryId entry, string path, string partial)
    {
        string place = partial;
        string wanted = path;
        try
        {
            if (target.Inspect(partial).Kind == TargetKind.Nothing)
            {
                return;
            }

            string own = plan.Pass.Entries.OwnPath(entry);

            // Each restore of the same damaged backup would otherwise leave one more copy.
            if (FindSame(partial, own) is string earlier)
            {
                target.DeleteFile(partial);
                leftByEarlierRun.Add(plan.Pass.Content.PathText(entry));
                (place, wanted) = (earlier, own);
            }
            else
            {
                place =
                    renaming.Candidates(path).Prepend(path).FirstOrDefault(name => target.TryPutInPlace(partial, name))
                    ?? partial;
            }
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // It stays under its partial name, and the next run continues it.
            record.KeepAfter(failure);
        }

        if (place != path)
        {
            states.SetPlace(entry, place);
        }

        if (place != wanted)
        {
            string reason =
                $"The damaged file is at {target.Display(place)}; it did not replace the one at {target.Display(wanted)}";
            Report(entry, IssueKind.Warning, reason, IssueCode.DamagedBeside);
        }
    }

    /// <summary>
    /// Whether planning expected that the entry gets another name, but it kept its name: an earlier
    /// restore left the same damaged file, or it is a stream.
    /// </summary>
    public bool IsOutdated(RestoreIssue issue) =>
        issue.Code == IssueCode.Renamed && (leftByEarlierRun.Contains(issue.Path) || streams.Has(issue.Path));

    /// <summary>
    /// The file with the same bytes that an earlier restore left at a path, or next to it; null if
    /// no such file exists.
    /// </summary>
    private string? FindSame(string partial, string path) =>
        renaming
            .Candidates(path)
            .Prepend(path)
            .TakeWhile(name => target.Inspect(name).Kind != TargetKind.Nothing)
            .FirstOrDefault(name => SameFiles.AreSame(target, partial, name));

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
            Report(link.Entry, IssueKind.LeftOut, reason, IssueCode.LinkOutsideTarget);
            return;
        }

        if (places.Find(link.Entry, path, linkTarget, out IssueReason refusal) is not string place)
        {
            Report(link.Entry, Keeping.KindOf(refusal.Code), refusal.Sentence, refusal.Code);
            return;
        }

        if (target.Inspect(place).Kind != TargetKind.Nothing && new OtherNames(target).Find(place) is string other)
        {
            Report(link.Entry, IssueKind.Refused, OtherNames.Refusal(other));
            return;
        }

        bool isMade = Place(link.Entry, place, linkTarget, IsFolderLink(link));
        Symlinks++;
        states.SetStarted(link.Entry);
        results.Report(link.Entry, EntryResultKind.Restored);
        if (place != path)
        {
            Issues.Add(TargetScan.Renamed(plan.Pass.Content.PathText(link.Entry), target.Display(place)));
        }

        if (isElsewhere && isMade)
        {
            string reason =
                $"The link points to '{Shown(linkTarget)}', which is a place of Windows and not in the restored tree: it leads nowhere here";
            Report(link.Entry, IssueKind.Warning, reason);
        }

        if (isMade || plan.Options.Overwrite)
        {
            Apply(link.Entry, place, link.Metadata);
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

    private void Apply(EntryId entry, string path, EntryMetadata metadata)
    {
        leftOut.Note(entry, metadata);
        metadata = owners?.Apply(metadata) ?? metadata;
        foreach (string problem in metadata.Unusable)
        {
            Report(entry, IssueKind.Metadata, problem, isMetadataLost: true);
        }

        foreach (string problem in target.ApplyMetadata(path, metadata, plan.Options.RestorePermissions))
        {
            Report(entry, IssueKind.Metadata, problem, UnappliedMetadata.CodeOf(problem));
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
            // A link that this user may not create can be created later, because the backup has all
            // of it.
            IssueCode code = failure.ToIssueCode();
            Report(entry, code == IssueCode.LinkNotAllowed ? IssueKind.LeftOut : kind, failure.Reason(), code);
        }
    }

    private void Report(
        EntryId entry,
        IssueKind kind,
        string reason,
        IssueCode code = IssueCode.None,
        bool isMetadataLost = false
    ) =>
        Issues.Add(
            plan.IssueOf(entry, kind, reason) with
            {
                Code = code,
                TargetPath = target.Display(states.PlaceOf(entry) ?? plan.Pass.Entries.TargetPath(entry)),
                MetadataLost = isMetadataLost,
            }
        );
}
