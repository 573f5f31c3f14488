using Restore.Planning.Paths;
using Restore.Planning.Scanning;
using Restore.Restoring;
using Restore.Resume;

namespace Restore.Shards;

/// <summary>
/// Looks at the target again before a further attempt to restore a part: files of earlier attempts
/// are right, or are continued. Decisions about what the plan found at the target do not change.
/// </summary>
internal static class ShardScan
{
    public static async Task<RestorePlan> LookAsync(
        Execution execution,
        RestorePlan plan,
        RestorePlan part,
        ShardIdentity shard,
        ProgressMeter progress,
        CancellationToken cancellationToken
    )
    {
        using IRestoreTarget target = await execution
            .Session.OpenTargetAsync(part.Options, !execution.Options.SkipFlush)
            .ConfigureAwait(false);
        using IRestoreTarget? originalPlaces = RestoreSession.OpenOriginalPlaces(part.Options);
        IssueLog issues = new();
        EntryPlans planned = part.Pass.Entries;
        EntryPlans.Builder looked = new(planned.Content, planned.Paths);
        using EarlierRuns earlier = await new OwnThreads()
            .RunAsync(() => EarlierRuns.Read(target, RecordFolder.Of(planned, part.Options), issues, shard.Owns))
            .ConfigureAwait(false);
        RenameRule renaming = new(part.Version.Time, execution.Session.Options.TimeProvider.LocalTimeZone);
        PlanningContext context = execution.PlanningFor(target, originalPlaces);
        TargetScan scan = new(looked, part.Options, context, renaming, earlier, issues, progress) { Only = IsOpen };
        progress.Begin(RestorePhase.ScanningTarget, planned.Count);
        await scan.LookAsync(cancellationToken).ConfigureAwait(false);
        await scan.CompareAsync(cancellationToken).ConfigureAwait(false);

        EntryPlans entries = planned.With(looked.Build(), IsOpen);
        EntryParts[] parts = part.Pass.Parts.ToArray();
        foreach (EntryId entry in part.Pass.Included().Where(IsOpen))
        {
            parts[entry] = entries[entry] switch
            {
                EntryAction.None => EntryParts.None,
                EntryAction.Keep => parts[entry]
                    & ~EntryParts.Content
                    & ~(entries.IsMetadataRight(entry) ? EntryParts.Metadata : EntryParts.None),
                _ => parts[entry],
            };
        }

        PassPlan pass = new(entries, parts, part.Pass.Locations, part.Pass.Volumes, part.Pass.LeavesBlocksToFiles);
        HashSet<(string Path, string Reason)> known =
        [
            .. plan.PlanningIssues.Select(issue => (issue.Path, issue.Reason)),
        ];
        return part.With(pass, [.. issues.Where(issue => known.Add((issue.Path, issue.Reason)))]);

        // Shared files are not looked at: other shards may write to them at this moment.
        bool IsOpen(EntryId entry) =>
            part.Pass.WritesFile(entry)
            && !planned.IsShared(entry)
            && planned[entry] is EntryAction.Create or EntryAction.Replace;
    }
}
