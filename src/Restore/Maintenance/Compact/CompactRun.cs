using Restore.Catalog;
using Restore.Csp;
using Restore.Memory;
using Restore.Reading;
using Restore.Reading.Messages;
using Restore.Storage;
using Restore.Volumes;
using Restore.Writing;
using Restore.Writing.Messages;
using Restore.Writing.Processes;

namespace Restore.Maintenance.Compact;

/// <summary>
/// Executes the plan of a compact:
/// <code>
/// block stream --> BlockMover --> VolumeBuilder --> VolumeSaver[n]
/// </code>
/// Then it looks whether the store has all new volumes, and only then deletes. Whenever it is interrupted, each needed block is in a volume: before the
/// deletions in the old ones, from then on in the new ones too. What is left over is waste that the next compact removes.
/// </summary>
internal sealed class CompactRun(MaintenanceContext context, RetryingSink sink, ProgressMeter progress, CancellationToken cancellationToken)
{
    private readonly List<RestoreIssue> issues = [];
    private long bytesDeleted;
    private int volumesDeleted;

    /// <exception cref="RestoreException">The store cannot be changed, another program writes to it, or the backup has changed.</exception>
    public async Task<CompactReport> RunAsync(CompactPlan plan, CompactWork work, bool breaksLock)
    {
        WriterLock taken = await BackupState.LockAsync(sink, context, allowsNew: false, breaksLock, cancellationToken).ConfigureAwait(false);
        await using (taken.ConfigureAwait(false))
        {
            WriterSettings settings = context.SettingsOf(work.References.Layout, plan.IsEncrypted, plan.VolumeSizeBytes);
            VolumeSaver saver = new(settings, context.Loader.Pool, context.Time.GetUtcNow(), sink);
            (BitSet going, bool isAllRead, long moved) = await MoveAsync(work, settings, saver).ConfigureAwait(false);

            await BackupState.RequirePutAsync(sink, context.Volumes, saver.Saved, saver.HasNamed, cancellationToken).ConfigureAwait(false);
            await DeleteAsync(work, going, isAllRead).ConfigureAwait(false);
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

    /// <summary>Reads what has to be moved or checked, and writes the new volumes.</summary>
    private async Task<(BitSet Going, bool IsAllRead, long Moved)> MoveAsync(CompactWork work, WriterSettings settings, VolumeSaver saver)
    {
        FetchList list = work.ToFetch(context.MaxBlockBytes, out BlockId[] numbers);
        using BlockMover mover = new(work, numbers, settings, context.Loader.Pool, progress);
        if (numbers.Length > 0)
        {
            progress.Begin(RestorePhase.MovingBlocks, bytes: numbers.Sum(block => (long)work.References.SizeOf(block)), volumes: list.Volumes.Count);
            await RunNetworkAsync(list, mover, settings, saver).ConfigureAwait(false);
        }

        HashSet<BlockId> missing = [.. work.Wanted()];
        missing.ExceptWith(mover.Arrived());
        BitSet going = work.LeavingWithout(missing);
        Tell(work, work.LeavingWithout([]), going);
        return (going, missing.Count == 0, mover.Moved);
    }

    private async Task RunNetworkAsync(FetchList list, BlockMover mover, WriterSettings settings, VolumeSaver saver)
    {
        ProcessNetwork network = new();
        Channel<BlocksExtracted> extracted = context.Blocks.AddTo(network, list, CancellationToken.None);
        Channel<BlocksCompressed> packed = network.CreateChannel<BlocksCompressed>("BlocksCompressed", settings.Concurrency);
        Channel<VolumeBuilt> built = network.CreateChannel<VolumeBuilt>("VolumeBuilt", 1);

        // One volume being filled, one waiting, one being encrypted or put by each of two.
        int savers = Math.Min(settings.Concurrency, 2);
        using SemaphoreSlim slots = new(savers + 2);
        using VolumeBuilder builder = new(settings, context.Loader.Pool, context.Time.GetUtcNow(), slots);
        network.AddStage("BlockMover", 1, extracted, packed, (input, output, _) => mover.RunAsync(input, output));
        network.AddStage("VolumeBuilder", 1, packed, built, builder.RunAsync);
        network.AddSink("VolumeSaver", savers, built, saver.RunAsync);
        await network.RunGuardedAsync(cancellationToken).ConfigureAwait(false);
    }

    private void Tell(CompactWork work, BitSet planned, BitSet going)
    {
        foreach (Volume volume in work.Volumes.Where(volume => planned[volume.Id] && !going[volume.Id]))
        {
            issues.Add(new RestoreIssue(
                IssueKind.Damaged, volume.FileName, "Blocks that versions need could not be read whole from it or from their other volume, so it stays")
            {
                Code = IssueCode.BlocksLost,
            });
        }
    }

    /// <summary>
    /// The block volume before its index volumes: an index of a volume that is not there is known to be left over. It can have the last copy of a list of
    /// blocks that could not be read, so it stays then.
    /// </summary>
    private async Task DeleteAsync(CompactWork work, BitSet going, bool isAllRead)
    {
        ILookup<VolumeId, Volume> indexes = work.IndexesOf(going);
        foreach (Volume volume in work.Volumes.Where(volume => going[volume.Id]))
        {
            await DeleteAsync(volume).ConfigureAwait(false);
            volumesDeleted++;
            foreach (Volume index in indexes[volume.Id])
            {
                await DeleteAsync(index).ConfigureAwait(false);
            }
        }

        foreach (Volume orphan in isAllRead ? work.Orphans : [])
        {
            await DeleteAsync(orphan).ConfigureAwait(false);
        }
    }

    private async Task DeleteAsync(Volume volume)
    {
        await sink.DeleteAsync(volume.FileName, cancellationToken).ConfigureAwait(false);
        await context.Volumes.DeleteParityAsync(sink, volume.FileName, cancellationToken).ConfigureAwait(false);
        bytesDeleted += volume.SizeBytes;
    }
}
