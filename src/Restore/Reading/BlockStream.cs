using Restore.Catalog;
using Restore.Csp;
using Restore.Memory;
using Restore.Reading.Messages;
using Restore.Reading.Processes;
using Restore.Volumes;

namespace Restore.Reading;

/// <summary>
/// The block stream: turns a list of wanted blocks into runs of verified blocks, in bounded memory. It is wired as in the picture:
/// <code>
/// VolumeManager --> VolumeDownloader[d] --> VolumeDecryptor[x] --> VolumeDecompressor[e]
/// </code>
/// Volumes start in the order of the list, and the blocks of each come in the order of the list. Where a stage has several copies, the
/// runs of neighboring volumes interleave. The stream knows no files, and any number of reads may run side by side.
/// </summary>
/// <param name="loader">Fetches, decrypts and opens volumes.</param>
/// <param name="ranges">Whether a volume is read whole or in part.</param>
/// <param name="settings">Copies of the processes, and how much is in memory.</param>
/// <param name="meterOf">Makes what a copy of a process (by its name) is measured with; null measures nothing.</param>
/// <param name="time">The clock that transfers are measured by.</param>
internal sealed class BlockStream(
    VolumeLoader loader, RangePolicy ranges, ReadingSettings settings, Func<string, Meter?> meterOf, TimeProvider time)
{
    /// <summary>Where the buffers of the blocks come from.</summary>
    public BufferPool Pool => loader.Pool;

    /// <summary>Chooses how many transfers run at once; null if their number is given, or the store is local.</summary>
    public DownloadGate? Downloads { get; } =
        settings.AdaptsDownloads ? new DownloadGate(settings.VolumeDownloaders, time) : null;

    /// <summary>Adds the four processes to a network, for consumers that are processes of that network.</summary>
    /// <param name="network">The network.</param>
    /// <param name="list">The blocks to read.</param>
    /// <param name="stopToken">Ends the stream after the volumes that have started.</param>
    /// <returns>The channel that the blocks come out of.</returns>
    public Channel<BlocksExtracted> AddTo(ProcessNetwork network, FetchList list, CancellationToken stopToken)
    {
        Channel<VolumeRequested> requested = network.CreateChannel<VolumeRequested>("VolumeRequested", settings.ChannelCapacity);
        Channel<VolumeFetched> fetched = network.CreateChannel<VolumeFetched>("VolumeFetched", settings.ChannelCapacity);
        Channel<VolumeDecrypted> decrypted = network.CreateChannel<VolumeDecrypted>("VolumeDecrypted", settings.ChannelCapacity);
        Channel<BlocksExtracted> extracted = network.CreateChannel<BlocksExtracted>("BlocksExtracted", settings.ChannelCapacity);
        VolumeCredit credit = new(settings.BytesInFlight ?? ranges.BytesInFlight(LargestVolumeBytes(list), loader.Store));

        VolumeManager manager = new(list, credit, stopToken);
        VolumeDownloader downloader = new(loader, list, ranges, Downloads);
        VolumeDecryptor decryptor = new(loader);
        VolumeDecompressor decompressor = new(loader, list);
        network.AddSource("VolumeManager", requested, manager.RunAsync);
        network.AddStage("VolumeDownloader", settings.VolumeDownloaders, requested, fetched, downloader.RunAsync);
        network.AddStage("VolumeDecryptor", settings.VolumeDecryptors, fetched, decrypted, decryptor.RunAsync);
        network.AddStage("VolumeDecompressor", settings.VolumeDecompressors, decrypted, extracted, decompressor.RunAsync);
        return extracted;
    }

    /// <summary>
    /// Reads blocks and gives each run of them to a consumer, one run at a time. The stream waits for the consumer, which bounds the memory.
    /// </summary>
    /// <param name="list">The blocks to read.</param>
    /// <param name="consume">Takes a run. Blocks that it takes out of the run are its own; the stream disposes what is left.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What the processes counted; empty if nothing is measured.</returns>
    /// <exception cref="RestoreException">A process or the consumer failed unexpectedly. The loss of a volume or a block is not a failure:
    /// the block does not come, and the last run of the volume says why.</exception>
    public async Task<IReadOnlyList<ProcessProfile>> ReadRunsAsync(
        FetchList list, Func<BlocksExtracted, CancellationToken, ValueTask> consume, CancellationToken cancellationToken)
    {
        ProcessNetwork network = new(meterOf);
        Channel<BlocksExtracted> extracted = AddTo(network, list, CancellationToken.None);
        network.AddSink("BlockCollector", 1, extracted, new BlockCollector(consume).RunAsync);
        await network.RunGuardedAsync(cancellationToken).ConfigureAwait(false);
        return network.Profile();
    }

    /// <summary>Reads blocks and gives the bytes of each to a consumer, one block at a time; the bytes are valid during the call.</summary>
    public Task<IReadOnlyList<ProcessProfile>> ReadAsync(
        FetchList list, Action<BlockId, ReadOnlyMemory<byte>> onBlock, CancellationToken cancellationToken) =>
        ReadRunsAsync(list, (run, _) => TakeAll(run, onBlock), cancellationToken);

    private static ValueTask TakeAll(BlocksExtracted run, Action<BlockId, ReadOnlyMemory<byte>> onBlock)
    {
        while (run.TryTake(out BlockBytes block))
        {
            using BlockBytes taken = block;
            onBlock(block.Block, block.Memory);
        }

        return ValueTask.CompletedTask;
    }

    private static long LargestVolumeBytes(FetchList list) =>
        list.Volumes.Select(volume => volume.Volume.SizeBytes).DefaultIfEmpty().Max();
}
