using Restore.Catalog;
using Restore.Csp;

namespace Restore.Planning.Scanning;

/// <summary>
/// Phase 1, wired as in the picture: what is selected, and what is at the target.
/// <code>
/// FileLister --> TargetScanner[f] --> Planner
/// </code>
/// Bounded channels, one input for each process, no cycle: it cannot deadlock.
/// </summary>
/// <param name="settings">Copies of the processes, and the capacity of channels.</param>
/// <param name="meterOf">Creates the meter of a copy of a process (by its name); null to measure nothing.</param>
internal sealed class ScanNetwork(ScanSettings settings, Func<string, Meter?> meterOf)
{
    /// <summary>Scans the target.</summary>
    /// <param name="lister">Sends the files to scan.</param>
    /// <param name="look">Scans one file.</param>
    /// <param name="take">Receives the results, one after the other.</param>
    /// <param name="progress">Receives the progress.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The counts of the processes; empty if nothing is measured.</returns>
    public async Task<IReadOnlyList<ProcessProfile>> ScanAsync(
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
        network.AddStage("TargetScanner", settings.TargetScanners, listed, scanned, new TargetScanner(look, progress).RunAsync, onOwnThreads: true);
        network.AddSink("Planner", 1, scanned, (input, _) => new Planner(take).RunAsync(input));
        await network.RunGuardedAsync(cancellationToken).ConfigureAwait(false);
        return network.Profile();
    }
}
