using Restore.Reading;
using Restore.Writing;
using Restore.Writing.Messages;
using Restore.Writing.Processes;

namespace Restore.Maintenance.Compact;

/// <summary>
/// Executes the plan of a compact:
/// <code>
/// block stream --> BlockMover --> VolumeBuilder --> VolumeSaver[n]
/// </code> Then it checks that the store has all new volumes, and only then deletes the old ones.
/// Volumes without a needed block are deleted before anything is written, so that a full store gets
/// room. Whenever it is interrupted, each needed block is in a volume: before the deletions in the
/// old ones, from then on in the new ones too. What is left over is waste that the next compact
/// removes.
/// </summary>
internal sealed class CompactRun(
    MaintenanceContext context,
    RetryingSink sink,
    ProgressMeter progress,
    CancellationToken cancellationToken
)
{
    private readonly List<RestoreIssue> issues = [];
    private readonly HashSet<string> deleted = new(StringComparer.Ordinal);
    private WriterLock? held;
    private long bytesDeleted;
    private long moved;
    private int volumesDeleted;

    /// <exception cref="RestoreException">The store cannot be changed, another program writes to
    /// it, or the backup has changed.</exception>
    public async Task<CompactReport> RunAsync(CompactPlan plan, CompactWork work, bool breaksLock)
    {
        WriterLock taken = await BackupState
            .LockAsync(sink, context, allowsNew: false, breaksLock, cancellationToken)
            .ConfigureAwait(false);
        await using (taken.ConfigureAwait(false))
        {
            held = taken;
            WriterSettings settings = context.SettingsOf(
                work.References.Layout,
                plan.IsEncrypted,
                plan.VolumeSizeBytes
            );
            VolumeSaver saver = new(settings, context.Loader.Pool, context.Time.GetUtcNow(), sink);
            (CompactWork dead, CompactWork rest) = work.Split();
            bool isAllRead = await ExecuteAsync(dead, settings, saver).ConfigureAwait(false);
            isAllRead &= await ExecuteAsync(rest, settings, saver).ConfigureAwait(false);

            // Index volumes without a block volume. One can have the last copy of a blocklist, so
            // they stay if a block could not be read.
            foreach (Volume orphan in isAllRead ? work.Orphans : [])
            {
                await DeleteAsync(orphan).ConfigureAwait(false);
            }

            progress.Begin(RestorePhase.Done);
            return new CompactReport
            {
                VolumesDeleted = volumesDeleted,
                VolumesWritten = saver.Volumes,
                BlocksMoved = moved,
                BytesFetched = progress.BytesFetched,
                BytesWritten = saver.Saved.Sum(file => file.SizeBytes),
                BytesDeleted = bytesDeleted,
                Elapsed = progress.Elapsed,
                Issues = [.. plan.Issues, .. issues],
            };
        }
    }

    /// <summary>
    /// Moves and verifies the blocks of the volumes to delete, checks that the store has the new
    /// volumes, and deletes the old ones.
    /// </summary>
    /// <returns>Whether all blocks could be read.</returns>
    private async Task<bool> ExecuteAsync(CompactWork work, WriterSettings settings, VolumeSaver saver)
    {
        (BitSet going, bool isAllRead) = await MoveAsync(work, settings, saver).ConfigureAwait(false);
        await BackupState
            .RequirePutAsync(sink, context.Volumes, saver.Saved, saver.HasNamed, cancellationToken, deleted)
            .ConfigureAwait(false);
        await DeleteAsync(work, going).ConfigureAwait(false);
        return isAllRead;
    }

    /// <summary>Reads what has to be moved or checked, and writes the new volumes.</summary>
    /// <returns>The block volumes that can go, and whether all blocks could be read.</returns>
    private async Task<(BitSet Going, bool IsAllRead)> MoveAsync(
        CompactWork work,
        WriterSettings settings,
        VolumeSaver saver
    )
    {
        FetchList list = work.ToFetch(context.MaxBlockBytes, out BlockId[] numbers);
        using BlockMover mover = new(work, numbers, settings, context.Loader.Pool, progress);
        if (numbers.Length > 0)
        {
            progress.Begin(
                RestorePhase.MovingBlocks,
                bytes: numbers.Sum(block => (long)work.References.SizeOf(block)),
                volumes: list.Volumes.Count
            );
            await RunNetworkAsync(list, mover, settings, saver).ConfigureAwait(false);
        }

        HashSet<BlockId> missing = [.. work.Wanted()];
        missing.ExceptWith(mover.Arrived());
        BitSet going = work.LeavingWithout(missing);
        ReportStaying(work, going);
        moved += mover.Moved;
        return (going, missing.Count == 0);
    }

    private async Task RunNetworkAsync(FetchList list, BlockMover mover, WriterSettings settings, VolumeSaver saver)
    {
        ProcessNetwork network = new();
        Channel<BlocksExtracted> extracted = context.Blocks.AddTo(network, list, CancellationToken.None);
        Channel<BlocksCompressed> packed = network.CreateChannel<BlocksCompressed>(
            "BlocksCompressed",
            settings.Concurrency
        );
        Channel<VolumeBuilt> built = network.CreateChannel<VolumeBuilt>("VolumeBuilt", 1);

        // Slots: one volume that is filled, one that waits, and one for each saver, which encrypts
        // and puts it.
        int savers = Math.Min(settings.Concurrency, 2);
        using SemaphoreSlim slots = new(savers + 2);
        using VolumeBuilder builder = new(settings, context.Loader.Pool, context.Time.GetUtcNow(), slots);
        network.AddStage("BlockMover", 1, extracted, packed, (input, output, _) => mover.RunAsync(input, output));
        network.AddStage("VolumeBuilder", 1, packed, built, builder.RunAsync);
        network.AddSink("VolumeSaver", savers, built, saver.RunAsync);
        await network.RunGuardedAsync(cancellationToken).ConfigureAwait(false);
    }

    private void ReportStaying(CompactWork work, BitSet going)
    {
        foreach (Volume volume in work.Volumes.Where(volume => work.IsLeaving(volume) && !going[volume.Id]))
        {
            issues.Add(
                new RestoreIssue(
                    IssueKind.Damaged,
                    volume.FileName,
                    "Blocks that versions need could not be read whole from it or from their other volume, so it stays"
                )
                {
                    Code = IssueCode.BlocksLost,
                }
            );
        }
    }

    /// <summary>
    /// Deletes a block volume before its index volumes, because an index volume without its block
    /// volume is recognized as a leftover. If blocks could not be read, an index volume can have
    /// the last copy of a blocklist, and stays.
    /// </summary>
    private async Task DeleteAsync(CompactWork work, BitSet going)
    {
        BitSet gone = BitSet.Of(going.Length, going.ToWords());
        foreach (string name in deleted)
        {
            gone[context.Volumes.Find(name)!.Id] = true;
        }

        ILookup<VolumeId, Volume> indexes = work.IndexesOf(gone);
        foreach (Volume volume in work.Volumes.Where(volume => gone[volume.Id]))
        {
            if (going[volume.Id])
            {
                await DeleteAsync(volume).ConfigureAwait(false);
                volumesDeleted++;
            }

            foreach (Volume index in indexes[volume.Id].Where(index => !deleted.Contains(index.FileName)))
            {
                await DeleteAsync(index).ConfigureAwait(false);
            }
        }
    }

    private async Task DeleteAsync(Volume volume)
    {
        await context.Volumes.DeleteAsync(sink, volume.FileName, cancellationToken).ConfigureAwait(false);
        deleted.Add(volume.FileName);
        bytesDeleted += volume.SizeBytes;
        await held!.CompleteAsync(cancellationToken).ConfigureAwait(false);
    }
}
