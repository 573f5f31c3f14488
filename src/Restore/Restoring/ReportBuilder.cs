using Restore.Ends;

namespace Restore.Restoring;

/// <summary>The report of a restore: a fold over its passes.</summary>
/// <param name="isPart">Whether this is a part of a split plan: counts over all entries are added
/// up at the end.</param>
internal sealed class ReportBuilder(
    RestorePlan plan,
    RunResult run,
    Finishing finishing,
    LeftOutAttributes leftOut,
    IReadOnlyList<RestoreIssue> doubtful,
    bool isPart = false
)
{
    private readonly VersionContent content = plan.Pass.Content;
    private readonly EntryLosses losses = new(run.LastPlan, run.States.IsStarted, run.TriedVolumesOf);

    public RestoreReport Build(ProgressMeter progress, IReadOnlyList<string> choices)
    {
        IReadOnlyList<PassResult> passes = run.Passes;
        (EntryId Entry, RestoreIssue Issue)[] unfinished = [.. Unfinished()];
        IReadOnlyList<RestoreIssue> issues = Bounded(CollectIssues(unfinished.Select(loss => loss.Issue)));

        // A file with all of its content counts as restored, even if its metadata is lost.
        EntryId[] withoutMetadata = [.. unfinished.Where(IsRightButForMetadata).Select(loss => loss.Entry)];
        long unchangedBytes = plan.Pass.Included().Where(plan.IsUnchanged).Sum(content.SizeOf);
        return new RestoreReport
        {
            Version = plan.Version,
            Target = plan.Target,
            VerifyOnly = plan.Options.VerifyOnly,
            Drill = plan.Drill,
            Sources = plan.Sources,
            FilesRestored = passes.Sum(pass => pass.FilesRestored) + withoutMetadata.Length,
            FilesUnchanged = plan.FilesUnchanged,
            FoldersRestored = finishing.Folders,
            SymlinksRestored = finishing.Symlinks,
            BytesRestored = passes.Sum(pass => pass.BytesRestored) + withoutMetadata.Sum(content.SizeOf),
            BytesReused = passes.Sum(pass => pass.BytesCopied) + unchangedBytes + plan.BytesInPlace,
            BytesWritten = passes.Sum(pass => pass.BytesWritten),
            BytesFetched = progress.BytesFetched,
            VolumesFetched = passes.SelectMany(pass => pass.Volumes.Done).Distinct().Count(),
            VolumesReadInPart = passes.SelectMany(pass => pass.Volumes.DoneInPart).Distinct().Count(),
            Elapsed = progress.Elapsed,
            Issues = [.. issues.OrderBy(issue => issue.Kind).ThenBy(issue => issue.Path, StringComparer.Ordinal)],
            LostVolumes = LostVolumes(
                issues,
                plan.Pass.Volumes.Where(volume => !volume.IsMissing)
                    .Select(volume => volume.FileName)
                    .ToHashSet()
                    .Contains
            ),
            Profile = ProcessProfile.Merge(passes.SelectMany(pass => pass.Profile)),
            Phases = [.. progress.Phases],
            Choices = choices,
        };
    }

    public static IReadOnlyList<RestoreIssue> Bounded(IEnumerable<RestoreIssue> issues)
    {
        IssueLog log = new();
        log.AddRange(issues);
        return log.ToList();
    }

    public static bool IsLossOfData(RestoreIssue issue) =>
        issue.Kind is IssueKind.Damaged or IssueKind.Missing || issue.MetadataLost;

    /// <summary>The volumes that lost data was in, most bytes first.</summary>
    public static LostVolume[] LostVolumes(IReadOnlyCollection<RestoreIssue> issues, Func<string, bool> isInStore)
    {
        Dictionary<string, IssueCode> unread = issues
            .Where(issue => LostVolume.IsUnread(issue.Code))
            .GroupBy(issue => issue.Path, StringComparer.Ordinal)
            .ToDictionary(same => same.Key, same => same.First().Code, StringComparer.Ordinal);
        return
        [
            .. issues
                .Where(IsLossOfData)
                .SelectMany(
                    issue => issue.Volumes,
                    (issue, name) => (Name: name, Bytes: issue.LostRanges.Sum(range => range.To - range.From))
                )
                .GroupBy(loss => loss.Name, StringComparer.Ordinal)
                .Select(losses => new LostVolume(
                    losses.Key,
                    isInStore(losses.Key),
                    losses.LongCount(),
                    losses.Sum(loss => loss.Bytes)
                )
                {
                    IsRefused =
                        unread.GetValueOrDefault(losses.Key) is IssueCode.VolumeRefused or IssueCode.AccessDenied,
                    Code = unread.GetValueOrDefault(losses.Key),
                })
                .OrderByDescending(volume => volume.Bytes)
                .ThenBy(volume => volume.Name, StringComparer.Ordinal),
        ];
    }

    /// <summary>The entries that no pass finished, with what they lose.</summary>
    private IEnumerable<(EntryId Entry, RestoreIssue Issue)> Unfinished()
    {
        foreach (UnfinishedEntry unfinished in run.Losses.Entries)
        {
            if (losses.Describe(unfinished.Entry, run.Losses.LostTo(unfinished), DisplayTarget) is RestoreIssue issue)
            {
                yield return (unfinished.Entry, issue);
            }
        }
    }

    private bool IsRightButForMetadata((EntryId Entry, RestoreIssue Issue) loss) =>
        loss.Issue.Kind == IssueKind.Metadata
        && content.Entries[loss.Entry].Kind.IsFile()
        && !plan.Pass.Entries.IsShared(loss.Entry);

    private IEnumerable<RestoreIssue> CollectIssues(IEnumerable<RestoreIssue> unfinished) =>
        plan
            .PlanningIssues.Where(issue => !finishing.IsOutdated(issue))
            .Concat(IssuesOfSearches())
            .Concat(run.Passes.SelectMany(pass => pass.Volumes.Issues).Distinct())
            .Concat(unfinished)
            .Concat(run.Passes.SelectMany(pass => pass.Bad).Select(Bad))
            .Concat(run.Passes.SelectMany(pass => pass.MetadataProblems).SelectMany(MetadataProblems))
            .Concat(finishing.Issues)
            .Concat(doubtful)
            .Concat(isPart ? [] : leftOut.ToIssues().Concat(MissedBlocks()));

    /// <summary>
    /// Defects found while blocks were searched elsewhere: such a search reads volumes again that
    /// planning read.
    /// </summary>
    private IEnumerable<RestoreIssue> IssuesOfSearches()
    {
        HashSet<(string Path, string Reason)> known =
        [
            .. plan.PlanningIssues.Select(issue => (issue.Path, issue.Reason)),
        ];
        return run.Issues.ToList().Where(issue => known.Add((issue.Path, issue.Reason)));
    }

    /// <summary>Volumes that lacked expected blocks, and that no other issue names.</summary>
    private IEnumerable<RestoreIssue> MissedBlocks()
    {
        HashSet<string> named =
        [
            .. plan
                .PlanningIssues.Concat(run.Issues.ToList())
                .Concat(run.Passes.SelectMany(pass => pass.Volumes.Issues))
                .Select(issue => issue.Path),
        ];
        return run
            .TriedVolumes.SelectMany(names => names)
            .GroupBy(name => name)
            .Where(name => !named.Contains(name.Key))
            .Select(name => Missed(name.Key, name.Count()));
    }

    public static RestoreIssue Missed(string volume, int blocks) =>
        new(
            IssueKind.Warning,
            volume,
            $"Needed blocks that should be in it are missing or damaged ({blocks:N0} in all); they were searched in other volumes"
        );

    /// <summary>The loss of a file of right blocks with a wrong hash.</summary>
    public static RestoreIssue Unverified(RestorePlan plan, EntryId entry, string? place = null)
    {
        const string Reason =
            "Each block is right, but the file does not have the hash that the file list records: the list is wrong, or the order of the blocks";
        return plan.IssueOf(entry, IssueKind.Damaged, Reason, place) with { Unverified = true };
    }

    private RestoreIssue Bad(FileOutcome outcome) =>
        outcome.Kind == OutcomeKind.Unverified
            ? Unverified(plan, outcome.Entry, run.States.PlaceOf(outcome.Entry))
            : Issue(outcome.Entry, IssueKind.Refused, outcome.Reason.Sentence) with
            {
                Code = outcome.Reason.Code,
            };

    private IEnumerable<RestoreIssue> MetadataProblems(FileOutcome outcome) =>
        outcome
            .UnusableMetadata.Select(problem =>
                Issue(outcome.Entry, IssueKind.Metadata, problem) with
                {
                    MetadataLost = true,
                }
            )
            .Concat(
                outcome.MetadataProblems.Select(problem =>
                    Issue(outcome.Entry, IssueKind.Metadata, problem) with
                    {
                        Code = UnappliedMetadata.CodeOf(problem),
                    }
                )
            );

    private RestoreIssue Issue(EntryId entry, IssueKind kind, string reason) =>
        plan.IssueOf(entry, kind, reason, run.States.PlaceOf(entry));

    private string DisplayTarget(EntryId entry) => plan.DisplayTarget(entry, run.States.PlaceOf(entry));
}
