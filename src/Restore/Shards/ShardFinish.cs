using Restore.Ends;
using Restore.Planning.Paths;
using Restore.Restoring;
using Restore.Resume;

namespace Restore.Shards;

/// <summary>
/// The last step of a restore in parts: verifies the files that several parts wrote, makes links,
/// sets the metadata of folders, and adds up the reports. It needs neither the store nor a
/// passphrase. Doing it again changes nothing.
/// </summary>
internal sealed class ShardFinish(RestorePlan plan, ShardFiles files, IReadOnlyList<ShardRecord> records)
{
    private readonly ShardIdentity identity = ShardIdentity.LastStep(files.PlanId);
    private readonly string folder = RecordFolder.Of(plan.Pass.Entries, plan.Options);

    public async Task<RestoreReport> RunAsync(
        ExecuteOptions options,
        ProgressMeter progress,
        TimeProvider time,
        CancellationToken cancellationToken
    )
    {
        PlanSplit split = PlanSplit.Of(plan.Pass, records.Count);
        Require(split);
        OwnThreads threads = new();
        using IRestoreTarget target = await threads
            .RunAsync(() =>
                FileSystemTarget.Open(plan.Options.Target ?? RestoreSession.FileSystemRoot, !options.SkipFlush)
            )
            .ConfigureAwait(false);
        return await threads
            .RunAsync(() => Finish(target, split, options, progress, time, cancellationToken))
            .ConfigureAwait(false);
    }

    private RestoreReport Finish(
        IRestoreTarget target,
        PlanSplit split,
        ExecuteOptions options,
        ProgressMeter progress,
        TimeProvider time,
        CancellationToken cancellationToken
    )
    {
        BufferPool pool = new();
        IReadOnlyList<ChangedFile> changed = FindChanged(target, split, pool, options.VerifyAfter, cancellationToken);
        using RunRecord record = RestoreRun.RecordOf(plan, target, identity.RunId, !options.SkipFlush);
        using EarlierRuns earlier = EarlierRuns.Read(target, folder, new IssueLog(), isOther: identity.IsOther);
        target.TakeModes(earlier.Modes(), record.Opening);
        HashSet<string> done = [.. plan.Pass.Included().SelectMany(plan.Pass.Entries.PathsOf)];
        earlier.RemovePartials(target, done.Contains, new HashSet<string>());
        EntryStates states = new(plan.Pass.Entries.Count);
        EntryResults results = new(plan, options.Entries);
        LeftOutAttributes leftOut = new(plan);
        foreach (LeftOutAttribute attribute in records.SelectMany(part => part.LeftOut))
        {
            leftOut.Add(new EntryId(attribute.First), attribute.Name, attribute.Count);
        }

        RenameRule renaming = new(plan.Version.Time, time.LocalTimeZone);
        FileContext context = new(plan.Pass, target, null, plan.Options, states, pool, results, leftOut, record)
        {
            Time = time,
            PreallocatesSize = options.Tuning.PreallocateSize,
        };
        ILookup<string, IReadOnlyList<ByteRange>> lost = records
            .SelectMany(LossesOf)
            .ToLookup(loss => loss.Path, loss => loss.Ranges);
        SharedFiles shared = new(plan, target, split, identity, context, renaming, lost)
        {
            VerifiesAfter = options.VerifyAfter,
        };
        progress.Begin(RestorePhase.Finishing, files: split.Shares.Count);
        FinishShared(shared, split, progress, cancellationToken);
        Finishing finishing = new(plan, target, states, record, renaming, results, leftOut);
        finishing.Finish(
            records.SelectMany(part => part.Deferred).Where(entry => !entry.IsShare).Select(entry => entry.ToOutcome()),
            cancellationToken
        );
        IReadOnlyList<RestoreIssue> doubtful = options.SkipFlush ? [] : new Flushing(plan, target, states).Flush();

        // The records of interrupted attempts stay until the device has everything: if it has not,
        // the next step needs them.
        if (doubtful.Count == 0)
        {
            finishing.Note(earlier.RemoveRecords(target, done.Contains));
            record.Remove();
        }

        finishing.FinishLast(afterInterruption: true);
        finishing.Note(record.Problem);
        progress.Begin(RestorePhase.Done);
        return new ReportMerge(plan, split, records, shared, finishing) { Changed = changed }.Merge(
            leftOut,
            doubtful,
            progress
        );
    }

    private void FinishShared(
        SharedFiles shared,
        PlanSplit split,
        ProgressMeter progress,
        CancellationToken cancellationToken
    )
    {
        ILookup<int, DeferredEntry> shares = records
            .SelectMany(part => part.Deferred)
            .Where(entry => entry.IsShare)
            .ToLookup(entry => entry.Entry);

        // All files are looked at before the first failure is thrown, so that one message names
        // every shard to restore again. No file gets its path before all are right.
        SortedSet<int> again = [];
        ShardsWrongException? first = null;
        foreach (int entry in split.Shares.Keys)
        {
            cancellationToken.ThrowIfCancellationRequested();
            try
            {
                shared.Verify(new EntryId(entry), [.. shares[entry]]);
                progress.FileSeen();
                progress.Report();
            }
            catch (ShardsWrongException wrong)
            {
                again.UnionWith(wrong.Shards);
                first ??= wrong;
            }
        }

        if (first is not null)
        {
            foreach (int shard in again)
            {
                files.Remove(shard);
            }

            throw new RestoreException(
                RestoreErrorCode.ShardsMissing,
                $"{first.Message}: restore these shards again: {string.Join(", ", again)}",
                innerException: first
            );
        }

        shared.PutInPlace();
    }

    /// <summary>What a part lost of each file, once for a path, if all of it is known.</summary>
    private static IEnumerable<(string Path, IReadOnlyList<ByteRange> Ranges)> LossesOf(ShardRecord part) =>
        from issue in part.Report!.Issues
        where issue.LostRanges.Count > 0
        group issue by issue.Path into losses
        where losses.All(loss => loss.LostRangesLeftOut == 0)
        select (losses.Key, (IReadOnlyList<ByteRange>)[.. losses.SelectMany(loss => loss.LostRanges)]);

    private void Require(PlanSplit split)
    {
        string fingerprint = split.Fingerprint();
        if (records.FirstOrDefault(record => record.Split != fingerprint) is { } other)
        {
            throw new RestoreException(
                RestoreErrorCode.ShardPlanOther,
                $"Shard {other.Shard} was restored by another version of the program, which splits the plan in another way",
                files.Folder
            );
        }
    }

    /// <summary>
    /// The files that are not as the shards left them. A shard that lacks some of its files is open
    /// again; a shard that lacks all of them wrote to another place.
    /// </summary>
    private IReadOnlyList<ChangedFile> FindChanged(
        IRestoreTarget target,
        PlanSplit split,
        BufferPool pool,
        bool verifiesAfter,
        CancellationToken cancellationToken
    )
    {
        RestoredFiles restored = new(plan, split, target);
        IReadOnlyList<ChangedFile> changed = restored.Compare(records, verifiesAfter, pool, cancellationToken);
        HashSet<int> lacking = [.. changed.Where(file => file.IsGone).Select(file => file.Part + 1)];
        lacking.UnionWith(
            records.Where(record => restored.IsShareGone(record, identity)).Select(record => record.Shard)
        );
        foreach (int shard in lacking)
        {
            files.Remove(shard);
        }

        return restored.WhollyGone(records, changed) is [var other, ..]
            ? throw new RestoreException(
                RestoreErrorCode.ShardTargetOther,
                $"Shard {other + 1} was restored on {records[other].Machine}, and none of its files is here: either the shared file system is not at this place"
                    + " there, or they were removed",
                target.Display(folder)
            )
            : changed;
    }
}
