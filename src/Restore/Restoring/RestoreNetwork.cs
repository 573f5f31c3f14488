using Restore.Reading;

namespace Restore.Restoring;

/// <summary>
/// Phase 2, wired as in the picture: the block stream, then
/// <code>
/// BlockManager --> FileProcessor[f] --> Reporter
/// </code>
/// Bounded channels, one input for each process, no cycle: it cannot deadlock. Links and the times
/// and permissions of folders follow in phase 3 (<see cref="Finishing"/>).
/// </summary>
internal sealed class RestoreNetwork(FlowSettings settings, BlockStream blocks, Func<string, Meter?> meterOf)
{
    /// <summary>Choices that the network made, for the profile.</summary>
    public IReadOnlyList<string> Choices => blocks.Downloads is { } downloads ? [Describe(downloads)] : [];

    /// <param name="stopToken">Ends the pass gracefully; the caller checks the token
    /// afterwards.</param>
    public async Task<PassResult> RunPassAsync(
        FileContext context,
        ProgressMeter progress,
        CancellationToken stopToken,
        CancellationToken cancellationToken
    )
    {
        PassPlan plan = context.Plan;
        PassResult result = new(plan.Content, context.Results, new VolumeTally(progress));

        // The memory has room for only a few large blocks, so no large block waits for another one.
        long storeBytes = plan.Fetch.LongestBlockBytes() >= Extraction.LargeBlockBytes ? 0 : settings.StoreBytes;
        using BlockReferences references = new(plan, new BlockStore(storeBytes, blocks.Pool), settings.EvictPercent);
        ProcessNetwork network = new(meterOf);
        Channel<FileWork>[] work =
        [
            .. Enumerable
                .Range(0, settings.FileProcessors)
                .Select(copy => network.CreateChannel<FileWork>($"FileWork {copy}", settings.WorkCapacity)),
        ];
        Channel<FileFinished> finished = network.CreateChannel<FileFinished>("FileFinished", settings.ChannelCapacity);

        Channel<BlocksExtracted> extracted = blocks.AddTo(network, plan.Fetch, stopToken);

        // One copy: it alone decides the order of the items of each entry, so the states of blocks
        // need no lock.
        network.Add(
            "BlockManager",
            1,
            ports =>
            {
                IReadChannelEnd<BlocksExtracted> input = ports.Read(extracted);
                IWriteChannelEnd<FileWork>[] outputs = [.. work.Select(ports.Write)];
                return async _ =>
                {
                    using WorkBatches batches = new(new EntryOwners(plan, settings.FileProcessors), outputs);
                    await new BlockManager(plan, references, batches, result.Volumes)
                        .RunAsync(input)
                        .ConfigureAwait(false);
                };
            }
        );
        network.Add(
            "FileProcessor",
            settings.FileProcessors,
            onOwnThreads: true,
            ports =>
            {
                IReadChannelEnd<FileWork> input = ports.Read(work[ports.Copy]);
                IWriteChannelEnd<FileFinished> output = ports.Write(finished);
                return _ => new FileProcessor(context).RunAsync(input, output);
            }
        );
        network.AddSink("Reporter", 1, finished, (input, _) => new Reporter(plan, progress, result).RunAsync(input));
        await network.RunGuardedAsync(cancellationToken).ConfigureAwait(false);

        result.PeakStoreBytes = references.PeakStoreBytes;
        result.Profile = network.Profile();
        return result;
    }

    private string Describe(DownloadGate downloads) =>
        $"transfers at once: {downloads.Width} at the end, {downloads.Widest} at most, by what they brought "
        + $"({DownloadGate.Least} to {settings.Reading.VolumeDownloaders})";
}
