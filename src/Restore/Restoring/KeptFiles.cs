using Restore.Planning.Scanning;

namespace Restore.Restoring;

/// <summary>
/// Before a plan runs, looks again at the files that the plan calls right: they may have changed
/// since the plan was made. A file with another size, time or identity is compared with its hash. A
/// file that is no longer right is refused and left alone, because the plan fetches no content for
/// it.
/// </summary>
internal sealed class KeptFiles(RestoreSession session, RestorePlan plan)
{
    private const int Threads = 4;

    public async Task<RestorePlan> CheckAsync(CancellationToken cancellationToken)
    {
        EntryPlans entries = plan.Pass.Entries;
        EntryId[] kept = plan.Options.VerifyOnly ? [] : [.. plan.Pass.Included().Where(plan.IsUnchanged)];
        if (kept.Length == 0)
        {
            return plan;
        }

        OwnThreads threads = new();
        using IRestoreTarget target = await session
            .OpenTargetAsync(plan.Options, flushesFiles: false)
            .ConfigureAwait(false);
        ConcurrentBag<EntryId> changed = [];
        await Task.WhenAll(
                kept.Chunk((kept.Length / Threads) + 1)
                    .Select(part => threads.RunAsync(() => Check(target, part, changed, cancellationToken)))
            )
            .ConfigureAwait(false);
        if (changed.IsEmpty)
        {
            return plan;
        }

        HashSet<EntryId> refused = [.. changed];
        EntryParts[] parts = plan.Pass.Parts.ToArray();
        foreach (EntryId entry in refused)
        {
            parts[entry] = EntryParts.None;
        }

        // The refused entries take their decision from a plan that does nothing.
        EntryPlans others = entries.With(
            new EntryPlans.Builder(entries.Content, entries.Paths).Build(),
            refused.Contains
        );
        PassPlan pass = new(others, parts, plan.Pass.Locations, plan.Pass.Volumes, plan.Pass.LeavesBlocksToFiles);
        return plan.With(pass, [.. plan.PlanningIssues, .. refused.OrderBy(entry => entry.Value).Select(Issue)]);
    }

    private void Check(
        IRestoreTarget target,
        EntryId[] part,
        ConcurrentBag<EntryId> changed,
        CancellationToken cancellationToken
    )
    {
        using FileHasher hasher = new(plan.Pass.Content.Layout.FileHash, session.Pool);
        foreach (EntryId entry in part)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (!IsRight(target, entry, hasher))
            {
                changed.Add(entry);
            }
        }
    }

    private bool IsRight(IRestoreTarget target, EntryId entry, FileHasher hasher)
    {
        VersionContent content = plan.Pass.Content;
        string path = plan.Pass.Entries.TargetPath(entry);
        long size = content.SizeOf(entry);
        try
        {
            TargetStatus status = target.Inspect(path);
            if (status.Kind != TargetKind.File || status.SizeBytes != size)
            {
                return false;
            }

            // An empty file of the right size is right. An equal stamp means that the file has not
            // changed since the plan was made.
            return size == 0
                || status.Stamp == plan.Pass.Entries.StampOf(entry)
                || hasher.IsAt(target, path, content, entry);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private RestoreIssue Issue(EntryId entry)
    {
        const string Reason =
            "The file was right when the plan was made, and is not any more: it was changed or removed meanwhile. Restore it again";
        return plan.IssueOf(entry, IssueKind.Refused, Reason);
    }
}
