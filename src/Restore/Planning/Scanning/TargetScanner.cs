namespace Restore.Planning.Scanning;

/// <summary>
/// Scans the target path of each file: nothing, the right file, or a file that may have some of the
/// blocks.
/// </summary>
internal sealed class TargetScanner(Func<EntryId, string, ScanResult> look, ProgressMeter progress)
{
    public async Task RunAsync(
        IReadChannelEnd<FileListed> input,
        IWriteChannelEnd<TargetScanned> output,
        CancellationToken cancellationToken
    )
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
