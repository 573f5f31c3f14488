using Restore.Planning.Scanning;

namespace Restore.Restoring;

/// <summary>
/// Before a plan runs, looks at the room at the target: since the plan was made, room may have been
/// made or taken, and another file system may be mounted there. A file that does not fit is refused,
/// and the others are restored.
/// </summary>
internal static class RoomAtTarget
{
    public static RestorePlan Check(RestorePlan plan, IRestoreTarget target, bool hasHoles, ShardIdentity? shard)
    {
        EntryPlans planned = plan.Pass.Entries;
        EntryParts[] parts = plan.Pass.Parts.ToArray();
        RoomCheck room = new(
            planned,
            parts,
            plan.Pass.Locations,
            target,
            plan.Options,
            hasHoles,
            IsBegun,
            isAgain: shard is { Attempt: > 1 }
        );
        room.Check();
        IReadOnlyList<RestoreIssue> issues = [.. plan.PlanningIssues, .. room.PatchIssues, .. room.RoomIssues];
        if (room.Patched.Count + room.TooLarge.Count == 0)
        {
            return issues.Count == plan.PlanningIssues.Count ? plan : plan.With(plan.Pass, issues);
        }

        // A file that does not fit takes its decision from a plan that does nothing.
        EntryPlans.Builder changed = new(planned.Content, planned.Paths);
        foreach (EntryId entry in room.TooLarge)
        {
            parts[entry] = EntryParts.None;
        }

        foreach ((EntryId entry, BitSet blocks) in room.Patched)
        {
            changed.Apply(
                new ScanResult(entry, EntryAction.Patch) { IsMetadataRight = planned.IsMetadataRight(entry) }
            );
            changed.PatchInPlace(entry, blocks);
        }

        EntryPlans entries = planned.With(
            changed.Build(),
            entry => room.TooLarge.Contains(entry) || room.Patched.ContainsKey(entry)
        );
        PassPlan pass = new(entries, parts, plan.Pass.Locations, plan.Pass.Volumes, plan.Pass.LeavesBlocksToFiles);
        return plan.With(pass, issues);

        bool IsBegun(EntryId entry) =>
            shard is not null
            && target.TryInspect(shard.SharedPath(planned.TargetPath(entry), entry)).Kind != TargetKind.Nothing;
    }
}
