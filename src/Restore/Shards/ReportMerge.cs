using Restore.Restoring;

namespace Restore.Shards;

/// <summary>
/// Adds up the reports of the parts of a split plan: the result is the report that one run would
/// have given, but for what was fetched and how long it took.
/// </summary>
internal sealed class ReportMerge(
    RestorePlan plan,
    PlanSplit split,
    IReadOnlyList<ShardRecord> records,
    SharedFiles shared,
    Finishing finishing
)
{
    /// <summary>Files that are not as the parts left them.</summary>
    public IReadOnlyList<ChangedFile> Changed { get; init; } = [];

    private IEnumerable<RestoreReport> Reports => records.Select(record => record.Report!);

    public RestoreReport Merge(LeftOutAttributes leftOut, IEnumerable<RestoreIssue> doubtful, ProgressMeter progress)
    {
        IReadOnlyList<RestoreIssue> issues = ReportBuilder.Bounded(
            Distinct([
                .. plan.PlanningIssues,
                .. OfParts(),
                .. Changed.Select(OfChanged),
                .. shared.Issues,
                .. finishing.Issues,
                .. leftOut.ToIssues(),
                .. doubtful,
            ])
        );
        issues = [.. issues, .. Missed(issues)];
        return new RestoreReport
        {
            Version = plan.Version,
            Target = plan.Target,
            Sources = plan.Sources,
            FilesRestored = Reports.Sum(report => report.FilesRestored) + shared.FilesRestored - Changed.Count,
            FilesUnchanged = plan.FilesUnchanged,
            FoldersRestored = finishing.Folders,
            SymlinksRestored = finishing.Symlinks,
            BytesRestored =
                Reports.Sum(report => report.BytesRestored)
                + shared.BytesRestored
                - Changed.Sum(file => plan.Pass.Content.SizeOf(file.Entry)),
            BytesReused = Reports.Sum(report => report.BytesReused),
            BytesWritten = Reports.Sum(report => report.BytesWritten) + shared.BytesOfHoles,
            BytesFetched = Reports.Sum(report => report.BytesFetched),
            VolumesFetched = Reports.Sum(report => report.VolumesFetched),
            VolumesReadInPart = Reports.Sum(report => report.VolumesReadInPart),
            Elapsed = Reports.Max(report => report.Elapsed) + progress.Elapsed,
            Issues = [.. issues.OrderBy(issue => issue.Kind).ThenBy(issue => issue.Path, StringComparer.Ordinal)],
            LostVolumes = LostVolumes(issues),
            WholeElsewhere = [.. Reports.SelectMany(report => report.WholeElsewhere).DistinctBy(file => file.Path)],
            Profile = ProcessProfile.Merge(Reports.SelectMany(report => report.Profile)),
            Phases = [.. Reports.MaxBy(report => report.Elapsed)!.Phases, .. progress.Phases],
            Choices = [.. Reports.SelectMany(report => report.Choices).Distinct()],
        };
    }

    /// <summary>The store may have lost volumes since the plan was made.</summary>
    private IReadOnlyList<LostVolume> LostVolumes(IReadOnlyList<RestoreIssue> issues)
    {
        HashSet<string> present =
        [
            .. plan.Pass.Volumes.Where(volume => !volume.IsMissing).Select(volume => volume.FileName),
        ];
        present.ExceptWith(
            Reports
                .SelectMany(report => report.LostVolumes)
                .Where(volume => !volume.IsInStore)
                .Select(volume => volume.Name)
        );
        return ReportBuilder.LostVolumes(issues, present.Contains);
    }

    /// <summary>
    /// The issues of the parts; for a shared file, one issue for the losses of all parts.
    /// </summary>
    private IEnumerable<RestoreIssue> OfParts()
    {
        Dictionary<string, EntryId> files = split
            .Shares.Keys.Select(entry => new EntryId(entry))
            .ToDictionary(plan.Pass.Content.PathText);
        ILookup<bool, RestoreIssue> bySharing = Reports
            .SelectMany(report => report.Issues)
            .ToLookup(issue => IsLossOfShare(issue, files));
        return bySharing[false]
            .Concat(
                bySharing[true].GroupBy(issue => issue.Path).Select(losses => OfShared(files[losses.Key], [.. losses]))
            );
    }

    private RestoreIssue OfChanged(ChangedFile file) =>
        plan.IssueOf(
            file.Entry,
            file.IsGone ? IssueKind.Missing : IssueKind.Damaged,
            file.IsGone
                ? $"Shard {file.Part + 1} restored the file, and it is no longer there: restore this shard again"
                : $"Shard {file.Part + 1} restored the file, and it has other content now; to restore it again, remove it and restore this shard again",
            file.Path
        );

    private static bool IsLossOfShare(RestoreIssue issue, Dictionary<string, EntryId> files) =>
        files.ContainsKey(issue.Path)
        && issue.Kind is IssueKind.Damaged or IssueKind.Metadata
        && (issue.LostRanges.Count > 0 || issue.MetadataLost);

    private RestoreIssue OfShared(EntryId entry, RestoreIssue[] losses)
    {
        long size = plan.Pass.Content.SizeOf(entry);
        bool isGone = shared.Gone.Contains(losses[0].Path);
        List<ByteRange> ranges = isGone ? [new ByteRange(0, size)] : Joined(losses.SelectMany(loss => loss.LostRanges));
        long leftOut = isGone ? 0 : losses.Sum(loss => loss.LostRangesLeftOut);
        IssueKind kind =
            isGone ? IssueKind.Missing
            : ranges.Count > 0 || leftOut > 0 ? IssueKind.Damaged
            : IssueKind.Metadata;
        return losses[0] with
        {
            Kind = kind,
            Reason = EntryLosses.Sentence(kind, ranges.Sum(range => range.To - range.From), size),
            LostRanges = ranges,
            LostRangesLeftOut = leftOut,
            MetadataLost = Array.Exists(losses, loss => loss.MetadataLost),
            Volumes = [.. losses.SelectMany(loss => loss.Volumes).Distinct()],
            VolumesLeftOut = losses.Sum(loss => loss.VolumesLeftOut),
        };
    }

    private static List<ByteRange> Joined(IEnumerable<ByteRange> ranges)
    {
        List<ByteRange> joined = [];
        foreach (ByteRange range in ranges.OrderBy(range => range.From))
        {
            if (joined.Count > 0 && joined[^1].To == range.From)
            {
                joined[^1] = new ByteRange(joined[^1].From, range.To);
            }
            else
            {
                joined.Add(range);
            }
        }

        return joined;
    }

    /// <summary>Several parts can find the same defect of a volume.</summary>
    private static IEnumerable<RestoreIssue> Distinct(IEnumerable<RestoreIssue> issues) =>
        issues.DistinctBy(issue => (issue.Kind, issue.Path, issue.Reason, issue.TargetPath));

    /// <summary>Volumes that lacked expected blocks, and that no other issue names.</summary>
    private IEnumerable<RestoreIssue> Missed(IReadOnlyList<RestoreIssue> issues)
    {
        HashSet<string> named = [.. issues.Select(issue => issue.Path)];
        return records
            .SelectMany(record => record.Missed)
            .GroupBy(missed => missed.Volume, StringComparer.Ordinal)
            .Where(volume => !named.Contains(volume.Key))
            .Select(volume =>
                ReportBuilder.Missed(volume.Key, volume.SelectMany(missed => missed.Blocks).Distinct().Count())
            );
    }
}
