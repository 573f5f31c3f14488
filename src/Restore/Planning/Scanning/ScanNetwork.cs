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
        CancellationToken cancellationToken)
    {
        ProcessNetwork network = new(meterOf);
        Channel<FileListed> listed = network.CreateChannel<FileListed>("FileListed", channelCapacity);
        Channel<TargetScanned> scanned = network.CreateChannel<TargetScanned>("TargetScanned", channelCapacity);

        network.AddSource("FileLister", listed, (output, _) => lister(output));
        network.AddStage("TargetScanner", targetScanners, listed, scanned, new TargetScanner(look, progress).RunAsync, onOwnThreads: true);
        network.AddSink("ScanCollector", 1, scanned, async (input, _) =>
        {
            await foreach (TargetScanned batch in input.ReadAllAsync().ConfigureAwait(false))
            {
                batch.Results.ForEach(take);
            }
        });
        await network.RunGuardedAsync(cancellationToken).ConfigureAwait(false);
        return network.Profile();
    }
}

/// <summary>Scans the target path of each file: nothing, the right file, or a file that may have some of the blocks.</summary>
internal sealed class TargetScanner(Func<EntryId, string, ScanResult> look, ProgressMeter progress)
{
    public async Task RunAsync(IReadChannelEnd<FileListed> input, IWriteChannelEnd<TargetScanned> output, CancellationToken cancellationToken)
    {
        await foreach (FileListed batch in input.ReadAllAsync().ConfigureAwait(false))
        {
            TargetScanned scanned = new();
            foreach ((EntryId entry, string path) in batch.Entries)
            {
                cancellationToken.ThrowIfCancellationRequested();
                scanned.Results.Add(look(entry, path));
                progress.FileSeen();
            }

            progress.Report();
            await output.WriteAsync(scanned).ConfigureAwait(false);
        }
    }
}

/// <summary>Entries whose target path is to be scanned: a batch of (entry, target path).</summary>
internal sealed class FileListed : IMeasured
{
    public List<(EntryId Entry, string Path)> Entries { get; } = [];

    public long Bytes => 0;
}

internal sealed class TargetScanned : IMeasured
{
    public List<ScanResult> Results { get; } = [];

    public long Bytes => 0;
}

/// <summary>What to do with an entry, after the scan of its path.</summary>
internal sealed record ScanResult(EntryId Entry, EntryAction Action)
{
    /// <summary>Another path than its own, because something else is there; else null.</summary>
    public string? Renamed { get; init; }

    public bool IsMetadataRight { get; init; }

    /// <summary>A file at the target that may have some of the right blocks; it is compared block by block once these are known.</summary>
    public string? Candidate { get; init; }

    /// <summary>The partial file that an interrupted run left of it; it is compared like a candidate.</summary>
    public string? Partial { get; init; }

    /// <summary>The stamp of the file that is right: <see cref="TargetStatus.Stamp"/>; with action Keep.</summary>
    public long Stamp { get; init; }

    /// <summary>Blocks found right, in a comparison block by block.</summary>
    public BitSet? RightBlocks { get; init; }

    /// <summary>The path by which the target has what is there, if it spells the name in another way; else null.</summary>
    public string? OtherPath { get; init; }

    /// <summary>Why the entry cannot be restored; with action None.</summary>
    public string? Refusal { get; init; }

    public IssueCode RefusalCode { get; init; }
}
