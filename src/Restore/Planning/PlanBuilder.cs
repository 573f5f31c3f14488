using Restore.Catalog.Locating;
using Restore.Planning.Paths;
using Restore.Planning.Scanning;
using Restore.Resume;

namespace Restore.Planning;

/// <summary>
/// Makes a plan: reads the file list, scans the target, locates the needed blocks, turns entries
/// into blocks. Writes nothing.
/// </summary>
internal sealed class PlanBuilder(PlanningContext context, RestoreOptions options, ProgressMeter progress)
{
    private readonly IssueLog issues = new();
    private HashSet<string>? pathsWithoutMetadata;
    private BitSet? chosen;
    private DrillCoverage? drill;
    private IReadOnlyList<BackupVersion>? joined;

    public IReadOnlyList<ProcessProfile> Profile { get; private set; } = [];

    // The folders above the selection are read for their metadata: the restore may have to make
    // them. A drill makes no folders.
    private EntryFilter Filter =>
        options is { VerifyOnly: false, SkipMetadata: false } ? options.Filter.WithFoldersAbove() : options.Filter;

    public async Task<RestorePlan> BuildAsync(BackupVersion version, CancellationToken cancellationToken)
    {
        progress.Begin(RestorePhase.ReadingFileList);
        PathMapper mapper = new(options.VerifyOnly ? options with { Target = "" } : options, context.Rules);

        VersionContent content = await context
            .Catalog.ReadAsync(version, Filter, mapper.Observe, cancellationToken)
            .ConfigureAwait(false);
        return await BuildAsync(content, mapper, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Makes the plan of a drill: all or some entries of several versions, each block once.
    /// </summary>
    public async Task<RestorePlan> BuildAsync(
        IReadOnlyList<BackupVersion> versions,
        DrillSample? sample,
        CancellationToken cancellationToken
    )
    {
        progress.Begin(RestorePhase.ReadingFileList);
        PathMapper mapper = new(options with { Target = "" }, context.Rules);
        VersionContent content = versions is [BackupVersion only]
            ? await context
                .Catalog.ReadAsync(only, options.Filter, mapper.Observe, cancellationToken)
                .ConfigureAwait(false)
            : await MergedVersions
                .ReadAsync(context.Catalog, versions, options.Filter, mapper.Observe, issues.Add, cancellationToken)
                .ConfigureAwait(false);
        chosen = DrillSampling.Choose(content, sample);
        drill = DrillSampling.Coverage(content, versions, sample, chosen);
        return await BuildAsync(content, mapper, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Makes the plan of a content that was joined from several versions.</summary>
    /// <param name="read">Reads what a filter takes, passes each entry to the observer, selected or
    /// not, and reports issues.</param>
    public async Task<RestorePlan> BuildAsync(
        Func<EntryFilter, EntryObserver, Action<RestoreIssue>, Task<VersionContent>> read,
        IReadOnlyList<BackupVersion> versions,
        CancellationToken cancellationToken
    )
    {
        progress.Begin(RestorePhase.ReadingFileList);
        PathMapper mapper = new(options.VerifyOnly ? options with { Target = "" } : options, context.Rules);
        VersionContent content = await read(Filter, mapper.Observe, issues.Add).ConfigureAwait(false);
        joined = versions;
        return await BuildAsync(content, mapper, cancellationToken).ConfigureAwait(false);
    }

    private async Task<RestorePlan> BuildAsync(
        VersionContent content,
        PathMapper mapper,
        CancellationToken cancellationToken
    )
    {
        // The steps are in the order in which they save work:
        // 1. The target is scanned first. A file that is right there needs no block, so no index
        //    volume is read for it (decision 0007).
        // 2. The blocks of all other entries are located.
        // 3. With the blocks known, files that differ are compared block by block.
        // 4. Only now it is known how many bytes are written, and whether there is room for them. A
        //    file without room stays in the plan: the run looks at the room again.
        // 5. The decisions are frozen and become the plan.
        issues.AddRange(context.OpeningIssues);
        issues.AddRange(content.Issues);
        RequireSelection(content);
        progress.Begin(RestorePhase.ScanningTarget, content.Entries.Count);
        SourceLinks links = new(context.Target);
        PathMap paths = await new OwnThreads().RunAsync(() => mapper.Complete(links.Resolve)).ConfigureAwait(false);
        issues.AddRange(links.Issues);
        EntryPlans.Builder entries = new(content, paths);
        using EarlierRuns earlier = await new OwnThreads()
            .RunAsync(() => EarlierRuns.Read(context.Target, RecordFolder.Of(entries.Decided, options), issues))
            .ConfigureAwait(false);
        TargetScan scan = new(
            entries,
            options,
            context,
            new RenameRule(content.Version.Time, context.LocalZone),
            earlier,
            issues,
            progress
        );
        await scan.LookAsync(cancellationToken).ConfigureAwait(false);

        BlockNeeds needs = new(content);
        EntryParts[] parts = ChooseParts(entries, needs);
        Locations locations = await context.Locate(needs, issues, progress, cancellationToken).ConfigureAwait(false);
        await scan.CompareAsync(cancellationToken).ConfigureAwait(false);
        RoomCheck room = new(
            entries.Decided,
            parts,
            locations,
            context.Target,
            options,
            hasHoles: !context.PreallocatesSize
        );
        await new OwnThreads().RunAsync(room.Check).ConfigureAwait(false);
        foreach ((EntryId entry, BitSet blocks) in room.Patched)
        {
            entries.PatchInPlace(entry, blocks);
        }

        issues.AddRange(room.PatchIssues);

        // Index volumes would add to the memory of the restore.
        context.Pool.DropIdle();

        entries.SetOrder(EntryOrder.Of(content, options.First));

        // A drill has no file to check block by block if its hash is wrong.
        PassPlan pass = new(
            entries.Build(),
            parts,
            locations,
            context.Volumes,
            leavesBlocksToFiles: !options.VerifyOnly
        );

        // From here on blocks are known by their numbers. The table for looking them up by hash
        // would only take memory during the restore.
        content.Blocks.DropIndex();
        Profile = scan.Profile;
        HashSet<string> unread = [.. locations.Unread];
        issues.AddRange(
            FrozenVolumes.Describe(
                pass.Fetch.Volumes.Select(wanted => wanted.Volume)
                    .Concat(context.Volumes.Where(volume => unread.Contains(volume.FileName))),
                context.Location
            )
        );

        // A forged file list can have a link that leads out of the target, and files below it. So
        // such links need an authentic list, unless the user decides.
        bool allowsLinks =
            options.AllowRestoreOutsideTargetDirectory
            ?? (
                VolumeTrust.IsAuthentic(content.Version, context.AllowsGpgKeys, context.AllowsUnencrypted)
                && !content.Issues.Any(issue => issue.Code == IssueCode.FileListUnauthentic)
            );
        RestoreOptions decided = options with { AllowRestoreOutsideTargetDirectory = allowsLinks };
        return new RestorePlan(pass, decided, context.Location, context.Costs)
        {
            PlanningIssues = issues.ToList(),
            RoomIssues = room.RoomIssues,
            SelectsAll = options.Filter.IsAll,
            Drill = drill,
            Sources = joined is null ? null : VersionSource.Of(pass, joined),
            LeftOut =
            [
                .. content.LeftOut.Select(path => pass.Entries.Paths.Map(path, EntryKind.File, out _)).OfType<string>(),
            ],
        };
    }

    /// <summary>The failure of a list with nothing in it but entries that cannot be used.</summary>
    public static RestoreException NoSoundEntry(BackupVersion version, RestoreIssue first) =>
        new(
            RestoreErrorCode.FileListUnusable,
            $"The file list of {version.Name} cannot be used: not one of its entries is sound; of {first.Path} it is known: {first.Reason}",
            version.FileListName
        );

    public static RestoreException NothingSelected(BackupVersion version, EntryFilter filter) =>
        new(
            RestoreErrorCode.NothingSelected,
            $"Nothing in version {version.Index} is selected by: {filter.Describe()}"
        );

    private void RequireSelection(VersionContent content)
    {
        // An entry with unsound metadata in the list is kept without its metadata. A file is still
        // sound; of a folder only its name is left.
        bool isSound =
            content.Entries.Count > content.Issues.Count(issue => issue.MetadataLost)
            || EntryId.UpTo(content.Entries.Count).AsEnumerable().Any(content.IsFile);
        if (
            !isSound
            && options.Filter.IsAll
            && content.Issues.FirstOrDefault(issue => issue.Kind == IssueKind.Refused) is RestoreIssue first
        )
        {
            throw NoSoundEntry(content.Version, first);
        }

        if (content.Entries.Count == 0 && !content.Issues.Any() && !options.Filter.IsAll)
        {
            throw NothingSelected(content.Version, options.Filter);
        }
    }

    /// <summary>Leaves out a link without metadata: only the metadata has its target.</summary>
    private bool IsLinkToNowhere(EntryPlans.Builder entries, EntryId entry)
    {
        EntryRow row = entries.Content.Entries[entry];
        if (row.Kind != EntryKind.Symlink || !row.Metadata.IsNone)
        {
            return false;
        }

        entries[entry] = EntryAction.None;
        string path = entries.Content.PathText(entry);
        pathsWithoutMetadata ??=
        [
            .. entries.Content.Issues.Where(issue => issue.MetadataLost).Select(issue => issue.Path),
        ];
        if (!pathsWithoutMetadata.Contains(path))
        {
            const string Reason = "The target of the link is not in the backup: the link has no metadata";
            issues.Add(
                new RestoreIssue(IssueKind.Missing, path, Reason)
                {
                    MetadataLost = true,
                    Versions = entries.Content.VersionsOf(entry),
                }
            );
        }

        return true;
    }

    /// <summary>
    /// Decides which parts of each entry the plan brings, and adds their contents to what is
    /// needed.
    /// </summary>
    private EntryParts[] ChooseParts(EntryPlans.Builder entries, BlockNeeds needs)
    {
        EntryParts[] parts = new EntryParts[entries.Count];
        foreach (EntryId entry in EntryId.UpTo(entries.Count))
        {
            EntryRow row = entries.Content.Entries[entry];
            EntryAction action = entries[entry];
            if (action == EntryAction.None || chosen?[entry] == false || IsLinkToNowhere(entries, entry))
            {
                continue;
            }

            parts[entry] = EntryParts.Finish;
            if (row.Kind.IsFile() && action != EntryAction.Keep)
            {
                parts[entry] |= EntryParts.Content;
                if (!row.Content.IsNone)
                {
                    needs.Want(row.Content);
                }
            }

            if (!row.Metadata.IsNone && !options.SkipMetadata && !entries.Decided.IsMetadataRight(entry))
            {
                parts[entry] |= EntryParts.Metadata;
                needs.Want(row.Metadata);
            }
        }

        return parts;
    }
}

internal delegate Task<Locations> LocateBlocks(
    BlockNeeds needs,
    IssueLog issues,
    ProgressMeter progress,
    CancellationToken cancellationToken
);
