using Restore.Catalog;
using Restore.Csp;
using Restore.Memory;
using Restore.Planning;
using Restore.Planning.Scanning;
using Restore.Reading;
using Restore.Reading.Messages;
using Restore.Reading.Processes;
using Restore.Restoring.Messages;
using Restore.Restoring.Processes;
using Restore.Volumes;

namespace Restore.Restoring;

/// <summary>
/// The network, wired as in the picture:
/// <code>
/// phase 1   FileLister --> TargetScanner[f] --> Planner
/// phase 2   VolumeManager --> VolumeDownloader[d] --> VolumeDecryptor[x] --> VolumeDecompressor[e] --> BlockManager --> FileProcessor[f] --> Reporter
/// phase 3   links, then folder times and permissions, deepest first (see <see cref="Finishing"/>)
/// </code>
/// Bounded channels, one input for each process, no cycle: it cannot deadlock.
/// </summary>
internal sealed class RestoreNetwork(FlowSettings settings, VolumeLoader loader, RangePolicy ranges, Func<string, Meter?> meterOf, TimeProvider time)
{
    public RestoreNetwork(FlowSettings settings, VolumeLoader loader, RangePolicy ranges, bool profiled, TimeProvider time)
        : this(settings, loader, ranges, _ => profiled ? new Meter(time) : null, time)
    {
    }

    private BufferPool Pool => loader.Pool;

    /// <summary>Chooses how many transfers go on at once; null when their number is given, or the store is local.</summary>
    public DownloadGate? Downloads { get; } = settings.AdaptsDownloads ? new DownloadGate(settings.VolumeDownloaders, time) : null;

    /// <summary>Phase 1: what is wanted, what is there.</summary>
    /// <param name="lister">Sends the files to be looked at.</param>
    /// <param name="look">Looks at one.</param>
    /// <param name="take">Takes what was found, one after the other.</param>
    /// <param name="progress">Told how far it is.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public async Task ScanAsync(
        Func<IWriteChannelEnd<FileListed>, Task> lister,
        Func<EntryId, string, ScanResult> look,
        Action<ScanResult> take,
        ProgressMeter progress,
        CancellationToken cancellationToken)
    {
        ProcessNetwork network = new(meterOf);
        Channel<FileListed> listed = network.CreateChannel<FileListed>("FileListed", settings.ChannelCapacity);
        Channel<TargetScanned> scanned = network.CreateChannel<TargetScanned>("TargetScanned", settings.ChannelCapacity);

        network.AddSource("FileLister", listed, (output, _) => lister(output));
        network.AddStage("TargetScanner", settings.FileProcessors, listed, scanned, new TargetScanner(look, progress).RunAsync);
        network.AddSink("Planner", 1, scanned, (input, _) => new Planner(take).RunAsync(input));
        await RunAsync(network, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Phase 2: bytes.</summary>
    public async Task<PassResult> RestoreAsync(FileContext context, ProgressMeter progress, CancellationToken stopToken, CancellationToken cancellationToken)
    {
        PassPlan plan = context.Plan;
        ProcessNetwork network = new(meterOf);
        Channel<VolumeDecrypted> decrypted = AddVolumeStages(network, plan.Demand, stopToken);
        Channel<BlocksExtracted> extracted = network.CreateChannel<BlocksExtracted>("BlocksExtracted", settings.ChannelCapacity);
        Channel<FileWork>[] work = [.. Enumerable.Range(0, settings.FileProcessors)
            .Select(copy => network.CreateChannel<FileWork>($"FileWork {copy}", settings.WorkCapacity))];
        Channel<FileFinished> finished = network.CreateChannel<FileFinished>("FileFinished", settings.ChannelCapacity);

        PassResult result = new(plan.Content);
        using BlockManager blockManager = new(plan, settings, Pool, progress);
        network.AddStage("VolumeDecompressor", settings.VolumeDecompressors, decrypted, extracted, new VolumeDecompressor(loader, plan.Demand).RunAsync);
        network.Add("BlockManager", 1, ports =>
        {
            IReadChannelEnd<BlocksExtracted> input = ports.Read(extracted);
            IWriteChannelEnd<FileWork>[] outputs = [.. work.Select(ports.Write)];
            return _ => blockManager.RunAsync(input, outputs);
        });
        network.Add("FileProcessor", settings.FileProcessors, ports =>
        {
            IReadChannelEnd<FileWork> input = ports.Read(work[ports.Copy]);
            IWriteChannelEnd<FileFinished> output = ports.Write(finished);
            return _ => new FileProcessor(context).RunAsync(input, output);
        });
        network.AddSink("Reporter", 1, finished, (input, _) => new Reporter(plan, progress, result).RunAsync(input));
        await RunAsync(network, cancellationToken).ConfigureAwait(false);

        result.MissingBlocks.UnionWith(blockManager.MissingBlocks);
        result.Issues.AddRange(blockManager.Issues);
        result.VolumesFetched = blockManager.VolumesDone;
        result.VolumesReadInPart = blockManager.VolumesInPart;
        result.PeakStoreBytes = blockManager.PeakStoreBytes;
        result.Profile = network.Profile();
        return result;
    }

    /// <summary>The first half of phase 2 with memory as the target: for blocklists that no index carries.</summary>
    public async Task FetchAsync(BlockDemand demand, Action<BlockId, ReadOnlyMemory<byte>> onBlock, CancellationToken cancellationToken)
    {
        ProcessNetwork network = new(meterOf);
        Channel<VolumeDecrypted> decrypted = AddVolumeStages(network, demand, CancellationToken.None);
        Channel<BlocksExtracted> extracted = network.CreateChannel<BlocksExtracted>("BlocksExtracted", settings.ChannelCapacity);

        network.AddStage("VolumeDecompressor", settings.VolumeDecompressors, decrypted, extracted, new VolumeDecompressor(loader, demand).RunAsync);
        network.AddSink("BlockCollector", 1, extracted, (input, _) => new BlockCollector(onBlock).RunAsync(input));
        await RunAsync(network, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>A failure that no process expected is one of the run; the cause goes along for the log.</summary>
    private static async Task RunAsync(ProcessNetwork network, CancellationToken cancellationToken)
    {
        try
        {
            await network.RunAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (ProcessFailedException failure)
        {
            throw new RestoreException(
                RestoreErrorKind.Failed,
                $"The restore was ended by an unexpected failure: {failure.InnerException?.Message.TrimEnd('.')}",
                failure.Process,
                "Run it again; what is right at the target is left alone. If it fails at the same place, --log-file keeps the details",
                failure);
        }
    }

    private Channel<VolumeDecrypted> AddVolumeStages(ProcessNetwork network, BlockDemand demand, CancellationToken stopToken)
    {
        Channel<VolumeRequested> requested = network.CreateChannel<VolumeRequested>("VolumeRequested", settings.ChannelCapacity);
        Channel<VolumeFetched> fetched = network.CreateChannel<VolumeFetched>("VolumeFetched", settings.ChannelCapacity);
        Channel<VolumeDecrypted> decrypted = network.CreateChannel<VolumeDecrypted>("VolumeDecrypted", settings.ChannelCapacity);
        long largestBytes = demand.Volumes.Select(volume => volume.Volume.SizeBytes).DefaultIfEmpty().Max();
        VolumeCredit credit = new(settings.VolumeBytes ?? ranges.BytesInFlight(largestBytes, loader.Store));

        network.AddSource("VolumeManager", requested, new VolumeManager(demand, credit, stopToken).RunAsync);
        network.AddStage("VolumeDownloader", settings.VolumeDownloaders, requested, fetched, new VolumeDownloader(loader, demand, ranges, Downloads).RunAsync);
        network.AddStage("VolumeDecryptor", settings.VolumeDecryptors, fetched, decrypted, new VolumeDecryptor(loader).RunAsync);
        return decrypted;
    }
}
