using Restore.Planning.Paths;
using Restore.Resume;

namespace Restore.Planning.Scanning;

/// <summary>
/// Scans the target: first each path, then, once the blocks are known, the files that may have some
/// of them.
/// </summary>
internal sealed class TargetScan(
    EntryPlans.Builder plans,
    RestoreOptions options,
    PlanningContext context,
    RenameRule renaming,
    EarlierRuns earlier,
    IssueLog issues,
    ProgressMeter progress
)
{
    // A store can list any size: a volume of more than this explains no more blocks.
    private const long MaxVolumeBytes = 1L << 31;

    private readonly TargetComparison comparison = new(
        plans.Content,
        context.Target,
        options,
        renaming,
        earlier,
        context.Pool
    );
    private readonly LinkPlaces links = new(plans.Content, context.Target, options, renaming);
    private readonly Dictionary<EntryId, string> candidates = [];
    private readonly Dictionary<EntryId, string> partials = [];
    private readonly OtherNames otherNames = new(context.Target);
    private readonly List<ScanResult> otherwiseSpelled = [];

    /// <summary>Looks at these entries only; null for all.</summary>
    public Predicate<EntryId>? Only { get; init; }

    public List<ProcessProfile> Profile { get; } = [];

    public async Task LookAsync(CancellationToken cancellationToken)
    {
        // A drill writes nothing, so it is no loss that two names are one at the target. The drill
        // of several versions has the same paths several times.
        TargetRules rules = options.VerifyOnly ? context.Rules with { CaseSensitive = true } : context.Rules;
        TargetNames? names = options.VerifyOnly && plans.Content.Spans.Count > 0 ? null : new TargetNames(rules);
        long volumeBytes = context
            .Volumes.Where(volume => volume.Name.Kind == VolumeKind.Block)
            .Sum(volume => Math.Min(volume.SizeBytes, MaxVolumeBytes));
        FileLister lister = new(
            plans,
            names,
            renaming,
            options,
            FileLister.MostBlocks(volumeBytes),
            context.MaxBlockBytes,
            issues
        )
        {
            Backup = options.VerifyOnly
                ? null
                : BackupPlace.Find(context.Location, options.Target, ignoresCase: !rules.CaseSensitive),
        };
        Profile.AddRange(
            await context
                .Scan.ScanAsync(lister.RunAsync, Look, TakeOrWait, progress, cancellationToken)
                .ConfigureAwait(false)
        );

        // These wait for the end, because an entry later in the list may have claimed exactly the
        // name that the target has.
        TakeOtherwiseSpelled(names);
        if (context.Rules.IsWindows && options is { Target: null, VerifyOnly: false })
        {
            RefuseMissingDrives();
        }
    }

    /// <summary>One sentence before anything is done, instead of a loss for each entry.</summary>
    private void RefuseMissingDrives()
    {
        HashSet<string> roots = [];
        foreach (EntryId entry in EntryId.UpTo(plans.Count))
        {
            string path = plans[entry] == EntryAction.None ? "" : plans.Decided.TargetPath(entry);
            int end = path.StartsWith("UNC/", StringComparison.Ordinal)
                ? EndOfName(path, EndOfName(path, 4) + 1)
                : EndOfName(path, 0);
            string root = path[..end];
            if (root.Length > 0 && roots.Add(root) && context.Target.TryInspect(root).Kind == TargetKind.Nothing)
            {
                const string Reason =
                    "There is no such drive or share, and the backup has files of it: connect it, select other files or choose a target";
                throw new RestoreException(RestoreErrorCode.TargetNotCreated, Reason, context.Target.Display(root));
            }
        }
    }

    private static int EndOfName(string path, int start) =>
        path.IndexOf('/', Math.Min(start, path.Length)) is >= 0 and var slash ? slash : path.Length;

    /// <summary>
    /// Compares files that may have some of the right blocks, once these are known.
    /// </summary>
    public async Task CompareAsync(CancellationToken cancellationToken)
    {
        IEnumerable<(EntryId Entry, string Path)> files = candidates
            .Concat(partials)
            .Select(candidate => (candidate.Key, candidate.Value));
        if (context.OriginalPlaces is not null)
        {
            files = files.Concat(OriginalFiles());
        }

        Profile.AddRange(
            await context
                .Scan.ScanAsync(ListAsync, Compare, TakeBlocks, progress, cancellationToken)
                .ConfigureAwait(false)
        );

        async Task ListAsync(IWriteChannelEnd<FileListed> output)
        {
            // Each of these files is read whole, so a batch is much smaller than in the first scan.
            foreach ((EntryId Entry, string Path)[] batch in files.Chunk(16))
            {
                FileListed listed = new();
                listed.Entries.AddRange(batch);
                await output.WriteAsync(listed).ConfigureAwait(false);
            }
        }

        ScanResult Compare(EntryId entry, string path) =>
            new(entry, plans[entry])
            {
                Candidate = path,
                RightBlocks = comparison.FindRightBlocks(
                    entry,
                    IsPartial(entry, path) || IsAtTarget(entry) ? context.Target : context.OriginalPlaces!,
                    path,
                    cancellationToken
                ),
            };
    }

    /// <summary>
    /// Says that an entry replaced another file at the target, as the options require.
    /// </summary>
    public static RestoreIssue Replaced(string path) =>
        new(IssueKind.Warning, path, "It has replaced another file of its name at the target");

    /// <summary>
    /// Says under which name an entry is at the target, because something else has its own.
    /// </summary>
    public static RestoreIssue Renamed(string path, string place) =>
        new(
            IssueKind.Warning,
            path,
            $"Something else has its name at the target: it is restored as '{Path.GetFileName(place)}'"
        )
        {
            Code = IssueCode.Renamed,
            TargetPath = place,
        };

    /// <summary>
    /// Says under which name an entry is at the target, because the target does not distinguish its
    /// own name from the name of another entry.
    /// </summary>
    public static RestoreIssue OtherCase(string path, string name) =>
        new(
            IssueKind.Warning,
            path,
            $"The target does not tell its name from another one by upper and lower case: it is restored as '{name}'"
        )
        {
            Code = IssueCode.Renamed,
        };

    /// <summary>
    /// Says under which name an entry is at the target, because the target does not accept its own.
    /// </summary>
    public static RestoreIssue OtherName(string path, string name) =>
        new(IssueKind.Warning, path, $"The target does not accept its name: it is restored as '{name}'")
        {
            Code = IssueCode.Renamed,
        };

    private ScanResult Look(EntryId entry, string path)
    {
        if (plans.Content.IsAbove(entry))
        {
            return new ScanResult(entry, IsMade(path) ? EntryAction.Create : EntryAction.None);
        }

        if (context.Target.IsEmpty || Only?.Invoke(entry) == false)
        {
            return new ScanResult(entry, EntryAction.Create);
        }

        ScanResult result = plans.Content.IsFile(entry) ? comparison.Look(entry, path) : links.Look(entry, path);

        // The look for another spelling costs system calls, and a path where nothing is has no
        // other spelling.
        bool isSomethingThere = result.Renamed is not null || result.Action is EntryAction.Keep or EntryAction.Replace;
        try
        {
            return isSomethingThere ? result with { OtherPath = otherNames.Find(path) } : result;
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

    /// <summary>
    /// Whether a folder is made by the restore, or was made by one that was interrupted.
    /// </summary>
    private bool IsMade(string folder)
    {
        try
        {
            return context.Target.Inspect(folder).Kind == TargetKind.Nothing || context.Target.IsUnfinished(folder);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private void TakeOrWait(ScanResult result)
    {
        if (result.OtherPath is null)
        {
            Take(result);
        }
        else
        {
            otherwiseSpelled.Add(result);
        }
    }

    /// <summary>
    /// Refuses each entry for which the target has the file of another entry, because it does not
    /// tell their names apart: the second would go into the first.
    /// </summary>
    private void TakeOtherwiseSpelled(TargetNames? names)
    {
        HashSet<string> taken = new(StringComparer.Ordinal);

        // In the order of the list, so that the result does not depend on which scanner was first.
        foreach (ScanResult result in otherwiseSpelled.OrderBy(result => result.Entry.Value))
        {
            bool isFree = names?.Has(result.OtherPath!) != true && taken.Add(result.OtherPath!);
            Take(
                isFree
                    ? result
                    : new ScanResult(result.Entry, EntryAction.None) { Refusal = OtherNames.Refusal(result.OtherPath!) }
            );
        }
    }

    private void Take(ScanResult result)
    {
        plans.Apply(result);
        if (result.Candidate is not null)
        {
            candidates.Add(result.Entry, result.Candidate);
        }

        if (result.Partial is not null)
        {
            partials.Add(result.Entry, result.Partial);
        }

        if (result.Renamed is string place)
        {
            issues.Add(Renamed(plans.Content.PathText(result.Entry), context.Target.Display(place)));
        }

        if (result.Refusal is not null)
        {
            IssueKind kind = Keeping.KindOf(result.RefusalCode);
            issues.Add(
                new RestoreIssue(kind, plans.Content.PathText(result.Entry), result.Refusal)
                {
                    Code = result.RefusalCode,
                }
            );
        }
    }

    private void TakeBlocks(ScanResult result)
    {
        if (result.RightBlocks is null)
        {
            return;
        }

        bool isPartial = IsPartial(result.Entry, result.Candidate!);
        plans.SetPresent(
            result.Entry,
            result.RightBlocks,
            isPartial ? null : result.Candidate,
            !IsAtTarget(result.Entry)
        );
        if (isPartial)
        {
            plans.SetPartial(result.Entry, result.Candidate!);
        }
    }

    private bool IsPartial(EntryId entry, string path) => partials.GetValueOrDefault(entry) == path;

    private bool IsAtTarget(EntryId entry) => candidates.ContainsKey(entry);

    /// <summary>The files to write that may still exist at their original place.</summary>
    private IEnumerable<(EntryId Entry, string Path)> OriginalFiles()
    {
        TargetRules rules = TargetRules.ForThisSystem;
        PathMap originals = new(
            rules.IsWindows ? PathStyle.Windows : PathStyle.Unix,
            rules,
            prefixLength: 0,
            toOriginalPlaces: true
        );
        foreach (EntryId entry in EntryId.UpTo(plans.Count).AsEnumerable())
        {
            EntryRow row = plans.Content.Entries[entry];
            if (
                row.Kind == EntryKind.File
                && Only?.Invoke(entry) != false
                && plans[entry] is EntryAction.Create or EntryAction.Replace
                && !IsAtTarget(entry)
                && originals.Map(plans.Content.PathText(entry), row.Kind, out _) is string path
            )
            {
                yield return (entry, path);
            }
        }
    }
}
