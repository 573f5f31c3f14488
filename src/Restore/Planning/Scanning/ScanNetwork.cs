namespace Restore.Planning.Scanning;

/// <summary>
/// Phase 1, wired as in the picture: what is selected, and what is at the target.
/// <code>
/// FileLister --> TargetScanner[f] --> ScanCollector
/// </code>
/// Bounded channels, one input for each process, no cycle: it cannot deadlock.
/// </summary>
internal sealed class ScanNetwork(int targetScanners, int channelCapacity, Func<string, Meter?> meterOf)
{
    public async Task<IReadOnlyList<ProcessProfile>> ScanAsync(
        Func<IWriteChannelEnd<FileListed>, Task> lister,
        Func<EntryId, string, ScanResult> look,
        Action<ScanResult> take,
        ProgressMeter progress,
        CancellationToken cancellationToken
    )
    {
        ProcessNetwork network = new(meterOf);
        Channel<FileListed> listed = network.CreateChannel<FileListed>("FileListed", channelCapacity);
        Channel<TargetScanned> scanned = network.CreateChannel<TargetScanned>("TargetScanned", channelCapacity);

        network.AddSource("FileLister", listed, (output, _) => lister(output));
        network.AddStage(
            "TargetScanner",
            targetScanners,
            listed,
            scanned,
            new TargetScanner(look, progress).RunAsync,
            onOwnThreads: true
        );
        network.AddSink(
            "ScanCollector",
            1,
            scanned,
            async (input, _) =>
            {
                await foreach (TargetScanned batch in input.ReadAllAsync().ConfigureAwait(false))
                {
                    batch.Results.ForEach(take);
                }
            }
        );
        await network.RunGuardedAsync(cancellationToken).ConfigureAwait(false);
        return network.Profile();
    }
}
