using Restore.Ends;
using Restore.Planning.Paths;
using Restore.Planning.Scanning;
using Restore.Resume;

namespace Restore.Restoring;

/// <summary>
/// Phase 3: creates the links, when all files are written, then sets times and permissions of
/// folders, children before parents.
/// </summary>
internal sealed class Finishing
{
    // The mode of a folder: all rights for its owner.
    private const int LostMode = 0x1C0;

    private readonly RestorePlan plan;
    private readonly IRestoreTarget target;
    private readonly EntryStates states;
    private readonly RunRecord record;
    private readonly RenameRule renaming;
    private readonly EntryResults results;
    private readonly FinishingIssues issues;
    private readonly DamagedFiles damaged;
    private readonly EntryMetadataWriter metadata;
    private readonly HashSet<string> leftUnfinished = new(StringComparer.Ordinal);
    private readonly NamedStreams streams;
    private HashSet<string>? pathsWithLostMetadata;
    private FileOutcome? last;

    public Finishing(
        RestorePlan plan,
        IRestoreTarget target,
        EntryStates states,
        RunRecord record,
        RenameRule renaming,
        EntryResults results,
        LeftOutAttributes leftOut
    )
    {
        (this.plan, this.target, this.states) = (plan, target, states);
        (this.record, this.renaming, this.results) = (record, renaming, results);
        streams = new NamedStreams(plan, target, states);
        issues = new FinishingIssues(plan, target, states);
        damaged = new DamagedFiles(plan, target, states, record, renaming, issues);
        metadata = new EntryMetadataWriter(plan, target, issues, leftOut);
    }

    public List<RestoreIssue> Issues => issues.All;

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
        damaged.Keep();
        if (Issues.Exists(issue => issue.Code == IssueCode.DamagedBeside))
        {
            // Only the report says where the damaged files are.
            cancellationToken = CancellationToken.None;
        }

        streams.PutInPlace(
            (entry, failure) => issues.Report(entry, IssueKind.Warning, failure.Reason(), failure.ToIssueCode()),
            cancellationToken
        );
        ILookup<bool, FileOutcome> byKind = Fold(deferred)
            .ToLookup(outcome => plan.Pass.Content.Entries[outcome.Entry].Kind == EntryKind.Symlink);
        LinkCreation links = new(plan, target, states, record, renaming, results, issues, metadata);
        foreach (FileOutcome link in byKind[true])
        {
            cancellationToken.ThrowIfCancellationRequested();
            issues.Try(link.Entry, IssueKind.Refused, () => links.Create(link));
        }

        Symlinks = links.Count;

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
            issues.Note($"Some folders are open to their owner alone: {failure.Reason()}");
        }
    }

    /// <summary>
    /// Keeps the damaged files alone: of a shared restore, the last process does the rest.
    /// </summary>
    public void KeepDamaged() => damaged.Keep();

    /// <inheritdoc cref="FinishingIssues.Note"/>
    public void Note(string? problem) => issues.Note(problem);

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

    /// <summary>
    /// Sets the metadata of a folder. A folder above the selection that existed before stays as it
    /// is. If the restore created a folder and its mode is lost, only the owner gets access: the
    /// original mode is unknown. The folder stays marked as unfinished, so that a later restore,
    /// with the missing volume, gives it its mode and time.
    /// </summary>
    private void Finish(FileOutcome folder)
    {
        string path = plan.Pass.Entries.TargetPath(folder.Entry);
        issues.Try(
            folder.Entry,
            IssueKind.Metadata,
            () =>
            {
                bool isMade = target.IsUnfinished(path);
                if (plan.Pass.Content.IsAbove(folder.Entry) && !isMade)
                {
                    return;
                }

                if (folder.Metadata is { } recorded)
                {
                    metadata.Apply(
                        folder.Entry,
                        path,
                        isMade && recorded is { Mode: null, Unusable.Count: > 0 }
                            ? recorded with
                            {
                                Mode = LostMode,
                            }
                            : recorded
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
    /// Whether planning expected that the entry gets another name, but it kept its name: an earlier
    /// restore left the same damaged file, or it is a stream.
    /// </summary>
    public bool IsOutdated(RestoreIssue issue) =>
        issue.Code == IssueCode.Renamed && (damaged.WasLeftByEarlierRun(issue.Path) || streams.Has(issue.Path));
}
