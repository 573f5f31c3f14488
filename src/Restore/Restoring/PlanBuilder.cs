using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Csp;
using Restore.Format;
using Restore.Planning;
using Restore.Planning.Paths;
using Restore.Planning.Scanning;
using Restore.Reading;
using Restore.Volumes;

namespace Restore.Restoring;

/// <summary>Makes a plan: reads the file list, looks at the target, locates the blocks that are needed, and turns files into volumes. Writes nothing.</summary>
internal sealed class PlanBuilder
{
    private readonly RestoreSession session;
    private readonly RestoreOptions options;
    private readonly FlowSettings settings;
    private readonly ProgressMeter progress;
    private readonly RangePolicy ranges;
    private readonly ScanNetwork scan;
    private readonly BlockStream blockStream;
    private readonly RestoreNetwork network;
    private readonly List<RestoreIssue> issues = [];

    public PlanBuilder(RestoreSession session, RestoreOptions options, FlowSettings settings, ProgressMeter progress)
    {
        this.session = session;
        this.options = options;
        this.settings = settings;
        this.progress = progress;
        ranges = RangePolicy.Resolve(options, session.Store, keepsIndexes: session.Cache is not null);
        scan = new ScanNetwork(settings.Scanning, MeterOf);
        blockStream = new BlockStream(session.Loader, ranges, settings.Reading, MeterOf, session.Options.TimeProvider);
        network = new RestoreNetwork(settings, blockStream, MeterOf);
    }

    private Meter? MeterOf(string process) => options.Profile ? new Meter(session.Options.TimeProvider) : null;

    public async Task<PreparedRestore> BuildAsync(BackupVersion version, CancellationToken cancellationToken)
    {
        progress.Begin(RestorePhase.ReadingFileList);
        PathMapper mapper = new(options.VerifyOnly ? options with { Target = "" } : options, TargetRules.ForThisSystem);
        VersionContent content = await session.Catalog.ReadAsync(version, options.Filter, mapper.Observe, cancellationToken).ConfigureAwait(false);
        issues.AddRange(content.Issues);
        RequireSelection(content);
        GiveBackMemory(content);

        EntryPlans plans = new(content, mapper.Complete());
        List<ScanResult> candidates = [];
        using IRestoreTarget target = RestoreSession.OpenTarget(options);
        using IRestoreTarget? originalPlaces = RestoreSession.OpenOriginalPlaces(options);
        RenameRule renaming = new(version.Time, session.Options.TimeProvider.LocalTimeZone);
        TargetComparison comparison = new(content, target, options, renaming, MatchesWhole);
        await ScanAsync(plans, target, comparison, candidates, cancellationToken).ConfigureAwait(false);

        BlockNeeds needs = new(content);
        byte[] parts = ChooseParts(plans, needs);
        BlockLocator locator = new(session.Loader, session.Volumes, session.Catalog, needs, ranges, FetchAsync, issues.Add);
        progress.Begin(RestorePhase.LocatingBlocks, volumes: session.Volumes.Indexes.Count);
        await locator.LocateAsync(progress.Volumes, cancellationToken).ConfigureAwait(false);
        await CompareBlocksAsync(plans, comparison, candidates, target, originalPlaces, cancellationToken).ConfigureAwait(false);
        GiveBackMemory(content);

        // The flow of old hashes both, and a drill has no files to go through afterwards.
        PassPlan pass = new(plans, parts, needs.Locations.Freeze(content.Blocks.Count), session.Volumes.All, leavesBlocksToFiles: target.CanReadBack && !options.Legacy);
        return new PreparedRestore(
            session, version, options, settings, network, needs, locator, pass, issues, progress);

        Task FetchAsync(IReadOnlyList<BlockId> blocks, Action<BlockId, ReadOnlyMemory<byte>> onBlock, CancellationToken token) =>
            blockStream.ReadAsync(
                FetchList.Create(content.Blocks, needs.Locations.Freeze(content.Blocks.Count), session.Volumes.All, blocks), onBlock, token);

        bool MatchesWhole(ITargetFile file, long sizeBytes, ReadOnlySpan<byte> expectedHash)
        {
            using FileHasher hasher = new(content.Layout.FileHash, session.Pool);
            return hasher.Matches(file, sizeBytes, expectedHash);
        }
    }

    /// <summary>
    /// What a step of planning leaves is for a large version as large as what the next one takes: the file list's volume, the names at the target, the lists
    /// of indexes. Large arrays are collected seldom, and would be added to the peak.
    /// </summary>
    private void GiveBackMemory(VersionContent content)
    {
        // Some 60 ms for a million entries: the tables are large, but have no references in them.
        const int ManyEntries = 100_000;
        if (content.Entries.Count >= ManyEntries)
        {
            session.Pool.DropIdle();
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        }
    }

    private void RequireSelection(VersionContent content)
    {
        if (content.Entries.Count == 0 && options.Filter.IsAll && content.Issues.FirstOrDefault(issue => issue.Kind == IssueKind.Refused) is RestoreIssue first)
        {
            throw new RestoreException(
                RestoreErrorCode.FileListUnusable,
                $"The file list of version {content.Version.Index} cannot be used: not one of its entries is sound; "
                + $"of {first.Path} it is known: {first.Reason}",
                content.Version.FileListName);
        }

        if (content.Entries.Count == 0 && issues.Count == 0 && !options.Filter.IsAll)
        {
            throw new RestoreException(
                RestoreErrorCode.NothingSelected, $"Nothing in version {content.Version.Index} is selected by: {options.Filter.Describe()}");
        }
    }

    private Task ScanAsync(
        EntryPlans plans, IRestoreTarget target, TargetComparison comparison, List<ScanResult> candidates, CancellationToken cancellationToken)
    {
        progress.Begin(RestorePhase.ScanningTarget, plans.Count);
        FileLister lister = new(plans, new TargetNames(TargetRules.ForThisSystem), options, target.FreeBytes, issues.Add);
        return scan.ScanAsync(lister.RunAsync, comparison.Look, Take, progress, cancellationToken);

        void Take(ScanResult result)
        {
            plans.Apply(result);
            if (result.Candidate is not null)
            {
                candidates.Add(result);
            }

            if (result.Refusal is not null)
            {
                Refuse(plans.Content, result.Entry, result.Refusal, result.RefusalCode);
            }
        }
    }

    private void Refuse(VersionContent content, EntryId entry, string reason, IssueCode code)
    {
        lock (issues)
        {
            issues.Add(new RestoreIssue(IssueKind.Refused, content.PathText(entry), reason) { Code = code });
        }
    }

    /// <summary>Decides what the run brings for each entry, and asks for the contents.</summary>
    private byte[] ChooseParts(EntryPlans plans, BlockNeeds needs)
    {
        byte[] parts = new byte[plans.Count];
        foreach (EntryId entry in EntryId.UpTo(plans.Count))
        {
            EntryRow row = plans.Content.Entries[entry];
            EntryAction action = plans[entry];
            if (action == EntryAction.None)
            {
                continue;
            }

            parts[entry] = PassPlan.EntryPart;
            if (row.Kind.IsFile() && action != EntryAction.Keep)
            {
                parts[entry] |= PassPlan.ContentPart;
                if (row.Content >= 0)
                {
                    needs.Want(row.Content);
                }
            }

            if (row.Metadata >= 0 && !options.SkipMetadata && !plans.IsMetadataRight(entry))
            {
                parts[entry] |= PassPlan.MetadataPart;
                needs.Want(row.Metadata);
            }
        }

        return parts;
    }

    /// <summary>Compares files that may have some of the right blocks, now that it is known which those are.</summary>
    private async Task CompareBlocksAsync(
        EntryPlans plans,
        TargetComparison comparison,
        List<ScanResult> candidates,
        IRestoreTarget target,
        IRestoreTarget? originalPlaces,
        CancellationToken cancellationToken)
    {
        Dictionary<EntryId, ScanResult> byEntry = candidates.ToDictionary(candidate => candidate.Entry);
        IEnumerable<(EntryId Entry, string Path)> files = byEntry.Select(candidate => (candidate.Key, candidate.Value.Candidate!));
        if (originalPlaces is not null)
        {
            files = files.Concat(OriginalFiles(plans, byEntry));
        }

        await scan.ScanAsync(ListAsync, Look, Take, progress, cancellationToken).ConfigureAwait(false);

        async Task ListAsync(IWriteChannelEnd<FileListed> output)
        {
            foreach ((EntryId Entry, string Path)[] run in files.Chunk(16))
            {
                FileListed listed = new();
                listed.Entries.AddRange(run);
                await output.WriteAsync(listed).ConfigureAwait(false);
            }
        }

        ScanResult Look(EntryId entry, string path) => new(entry, plans[entry])
        {
            Candidate = path,
            RightBlocks = comparison.FindRightBlocks(entry, byEntry.ContainsKey(entry) ? target : originalPlaces!, path, session.Pool, cancellationToken),
        };

        void Take(ScanResult result)
        {
            if (result.RightBlocks is null)
            {
                return;
            }

            if (result.Action == EntryAction.Patch)
            {
                plans.SetInPlace(result.Entry, result.RightBlocks);
            }
            else
            {
                plans.Local[result.Entry] = new LocalBlocks(!byEntry.ContainsKey(result.Entry), result.Candidate!, result.RightBlocks);
            }
        }
    }

    /// <summary>The files to be written whose original place may still have a file.</summary>
    private static IEnumerable<(EntryId Entry, string Path)> OriginalFiles(EntryPlans plans, Dictionary<EntryId, ScanResult> except)
    {
        TargetRules rules = TargetRules.ForThisSystem;
        PathMap originals = new(rules.IsWindows ? PathStyle.Windows : PathStyle.Unix, rules, prefixLength: 0, toOriginalPlaces: true);
        foreach (EntryId entry in EntryId.UpTo(plans.Count))
        {
            EntryRow row = plans.Content.Entries[entry];
            if (row.Kind == EntryKind.File
                && plans[entry] is EntryAction.Create or EntryAction.Replace
                && !except.ContainsKey(entry)
                && originals.Map(plans.Content.PathText(entry), row.Kind, out _) is string path)
            {
                yield return (entry, path);
            }
        }
    }
}
