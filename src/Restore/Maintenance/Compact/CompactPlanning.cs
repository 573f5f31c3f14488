using Restore.Catalog.Locating;
using Restore.Maintenance.Check;
using Restore.Writing;

namespace Restore.Maintenance.Compact;

/// <summary>
/// Finds out what a compact would do: which blocks the versions need, and what share of each block
/// volume they are. Changes nothing.
/// </summary>
internal sealed class CompactPlanning(
    MaintenanceContext context,
    ProgressMeter progress,
    CancellationToken cancellationToken
)
{
    // Duplicati's default: a volume is small up to a fifth of the volume size.
    private const int SmallShare = 5;
    private const int MostListsShown = 10;

    private readonly IssueLog issues = new();
    private VolumeUse[] foreign = [];

    /// <exception cref="RestoreException">It cannot be known what versions need, an option cannot
    /// be used, or the passphrase is wrong.</exception>
    public async Task<(CompactPlan Plan, CompactWork Work)> PlanAsync(CompactOptions options)
    {
        BackupCheck check = new(context, issues, progress, cancellationToken);
        await check.RunAsync().ConfigureAwait(false);
        RequireKnownNeeds(check);
        int volumeSize = VolumeSizeOf(options, check.References.Layout);
        HashSet<VolumeId> doubtful =
        [
            .. check.Survey.WrongLengths.Select(volume => volume.Id),
            .. check.Survey.Unreadable,
            .. context.Volumes.Blocks.Where(volume => volume.IsMissing).Select(volume => volume.Id),
            // Lost blocks can be in volumes that could not be listed completely.
            .. check.References.LostBlocks > 0 ? check.Survey.ListedInPart : [],
        ];

        // A volume has no index volume if a run was interrupted before it wrote one. Other copies
        // of its blocks, which have an index volume, are preferred.
        HashSet<VolumeId> undescribed = [.. check.Survey.Undescribed.Select(volume => volume.Id)];
        UsageTable usage;
        VolumeUse[] uses;
        CompactDecision decision;
        Volume[] going;
        do
        {
            // Deciding and reading alternate until nothing changes:
            // 1. Count what each volume has and the versions need, by what is known so far.
            // 2. Decide which volumes go.
            // 3. Read the directories of these volumes. If one was not read before, it can have
            //    more blocks than its index volume says, so the count starts again.
            // - A directory is read once, so the loop ends after as many rounds as there are
            //   volumes at most.
            usage = new UsageTable(
                check.References,
                context.Volumes.All.Count,
                volume =>
                    doubtful.Contains(volume) ? 2
                    : undescribed.Contains(volume) ? 1
                    : 0
            );
            uses =
            [
                .. context
                    .Volumes.Blocks.Where(volume => !doubtful.Contains(volume.Id))
                    .OrderBy(usage.OldestBlockOf)
                    .ThenBy(volume => volume.Id.Value)
                    .Select(usage.UseOf),
            ];
            decision = WithoutForeign(
                CompactDecision.Of(
                    uses,
                    options.ThresholdPercent,
                    volumeSize,
                    options.SmallFileSizeBytes ?? volumeSize / SmallShare,
                    options.SmallFileMaxCount
                )
            );
            going = [.. decision.Dead.Concat(decision.Rewritten).Select(use => use.Volume)];
        } while (await check.ListAsync(going).ConfigureAwait(false));

        RequireKnownNeeds(check);

        ReportForeign();
        BitSet leaving = new(context.Volumes.All.Count);
        foreach (Volume volume in going)
        {
            leaving[volume.Id] = true;
        }

        // A volume that could not be listed completely can have blocks that no other volume has.
        // Its sound blocks are moved, and the volume stays.
        VolumeId[] staying = [.. check.Survey.Unreadable, .. check.Survey.ListedInPart];
        CompactWork work = new(
            check.References,
            usage,
            context.Volumes.All,
            leaving,
            staying,
            LinksOf(check),
            OrphansOf(check)
        );
        progress.Begin(RestorePhase.Done);
        return (Plan(decision, work, leaving, uses, volumeSize) with { Options = options }, work);
    }

    /// <summary>
    /// Blocks that are not known to be needed are deleted, so all needs must be known.
    /// </summary>
    private void RequireKnownNeeds(BackupCheck check)
    {
        string? unknown =
            check.Uncertainty() is { } uncertain ? uncertain
            : context.Volumes.StandIn(kind => kind == VolumeKind.FileList) is { } standIn ? standIn
            : check.Versions + check.Unfinished < context.Volumes.FileLists.Count
                ? UnreadableLists(context.Volumes.FileLists.Count - check.Versions - check.Unfinished)
            : check.References.UnknownNeeds > 0
                ? $"{check.References.UnknownNeeds:N0} entries of file lists cannot be used"
            : check.References.MissingBlocklists > 0
                ? $"{check.References.MissingBlocklists:N0} lists of blocks are in no volume that can be read"
            : null;
        if (unknown is not null)
        {
            throw new RestoreException(
                RestoreErrorCode.NeedsUnknown,
                $"It is not known which blocks the versions need, so nothing is deleted: {unknown}",
                context.Location
            );
        }
    }

    /// <summary>
    /// Names the lists and their versions, because a version without a readable list is deleted by
    /// its number.
    /// </summary>
    private string UnreadableLists(int count)
    {
        IEnumerable<RestoreIssue> unread = issues
            .ToList()
            .Where(issue => issue.Kind is IssueKind.Missing or IssueKind.Refused);
        HashSet<string> paths = [.. unread.Select(issue => issue.Path)];
        string[] shown =
        [
            .. context
                .Volumes.FileLists.Index()
                .Where(list => paths.Contains(list.Item.FileName))
                .Take(MostListsShown)
                .Select(list => $"version {list.Index}, {list.Item.FileName}"),
        ];
        string more = count > shown.Length ? $"; and {count - shown.Length:N0} more" : "";
        return $"{(count == 1 ? "1 file list" : $"{count:N0} file lists")} cannot be read ({string.Join("; ", shown)}{more})";
    }

    private int VolumeSizeOf(CompactOptions options, BlockLayout layout)
    {
        WriterSettings.Require(
            options.ThresholdPercent is >= 0 and <= 100,
            $"The threshold {options.ThresholdPercent} cannot be used: it must be from 0 to 100 percent"
        );
        WriterSettings.Require(
            options.SmallFileMaxCount >= 0,
            $"The number of small volumes {options.SmallFileMaxCount} cannot be used: it must not be negative"
        );
        long largest = context.Volumes.Blocks.Select(volume => volume.SizeBytes).DefaultIfEmpty().Max();
        return options.VolumeSizeBytes ?? WriterSettings.VolumeSizeFor(layout, largest);
    }

    /// <summary>
    /// Volumes of other kinds than new ones are never rewritten: a backup has volumes of one kind.
    /// </summary>
    private CompactDecision WithoutForeign(CompactDecision decision)
    {
        foreign = [.. decision.Rewritten.Where(use => !use.Volume.Name.IsWritable)];
        return decision with { Rewritten = [.. decision.Rewritten.Where(use => use.Volume.Name.IsWritable)] };
    }

    private void ReportForeign()
    {
        if (foreign.Length > 0)
        {
            issues.Add(
                new RestoreIssue(
                    IssueKind.Warning,
                    foreign[0].Volume.FileName,
                    $"It and {foreign.Length - 1:N0} more volumes with waste stay: only zip volumes that are not encrypted or by AES Crypt are rewritten"
                )
            );
        }
    }

    /// <summary>
    /// Which index volumes are deleted with which block volumes. None is, if one of them can have
    /// the last copy of a blocklist.
    /// </summary>
    private static List<(VolumeId Index, VolumeId Blocks)> LinksOf(BackupCheck check) =>
        check.References.Blocklists.Any(blocklist => check.References.VolumeOf(blocklist).IsNone)
            ? []
            : [.. check.Survey.Links];

    /// <summary>
    /// An index volume of a lost block volume can have the last copy of a blocklist, so it goes
    /// only if nothing is lost.
    /// </summary>
    private List<Volume> OrphansOf(BackupCheck check) =>
        check.References.LostBlocks > 0
            ? []
            : [.. check.Survey.Orphans.Select(index => context.Volumes.All[index.Value])];

    private CompactPlan Plan(
        CompactDecision decision,
        CompactWork work,
        BitSet leaving,
        VolumeUse[] uses,
        int volumeSize
    )
    {
        ReferencedBlocks blocks = work.References;
        Volume[] indexes = [.. work.IndexesOf(leaving).SelectMany(index => index), .. work.Orphans];
        long checkedBytes = work.Wanted().Where(block => !work.IsMoved(block)).Sum(block => (long)blocks.SizeOf(block));
        return new CompactPlan
        {
            Dead = [.. decision.Dead.Select(Shown)],
            Rewritten = [.. decision.Rewritten.Select(Shown)],
            IndexVolumes = [.. indexes.Select(index => index.FileName)],
            VolumesLeft = context.Volumes.Blocks.Count(volume => !volume.IsMissing && !leaving[volume.Id]),
            VolumeSizeBytes = volumeSize,
            DataBytes = uses.Sum(use => use.DataBytes),
            WastedBytes = uses.Sum(use => use.WastedBytes),
            BytesToFetch = decision.Rewritten.Sum(use => use.Volume.SizeBytes) + checkedBytes,

            // An estimate: the needed share of each volume, as if all its blocks compressed equally
            // well.
            BytesToWrite = decision.Rewritten.Sum(use =>
                (long)(use.Volume.SizeBytes * (1 - (use.WastedBytes / (double)use.DataBytes)))
            ),
            BytesToDelete =
                decision.Dead.Concat(decision.Rewritten).Sum(use => use.Volume.SizeBytes)
                + indexes.Sum(index => index.SizeBytes),
            Issues = issues.ToList(),
            IsEncrypted = context.Volumes.All.Any(volume => volume.Name.Encryption == EncryptionKind.Aes),
        };

        static CompactVolume Shown(VolumeUse use) =>
            new(use.Volume.FileName, use.Volume.SizeBytes, use.DataBytes, use.WastedBytes);
    }
}

/// <summary>The contents of a block volume, in bytes before compression.</summary>
internal readonly record struct VolumeUse(Volume Volume, long DataBytes, long WastedBytes);
