using Restore.Planning.Paths;
using Restore.Resume;

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

/// <summary>
/// Maps the selected entries in order to their target paths, refuses those that must not be restored, and sends the files that must be scanned.
/// </summary>
/// <param name="names">The names at the target; null if no target could hold all entries.</param>
internal sealed class FileLister(EntryPlans.Builder plans, TargetNames? names, RestoreOptions options, long mostBlocks, long maxBlockBytes, IssueLog issues)
{
    // Existing files are read and hashed. Few of them form a batch, so that no TargetScanner has much left when the others are done.
    private const int BatchEntries = 256;
    private const long BatchBytes = 8L << 20;

    private const long MaxBlocksPerFile = VersionContent.MaxBlocksPerFile;

    // What every target takes. A path of a megabyte would be half a million folders in the table of names.
    private const int MaxPathBytes = 4095;

    private readonly long limit = mostBlocks;

    private byte[] original = [];
    private byte[] buffer = [];
    private long blocksLeft = mostBlocks;

    /// <summary>Limit of the blocks of a plan: what block volumes of this length can explain.</summary>
    public static long MostBlocks(long volumeBytes) => Math.Min(4 * MaxBlocksPerFile, BlockBudget.OfContents(volumeBytes));

    public async Task RunAsync(IWriteChannelEnd<FileListed> output)
    {
        FileListed batch = new();
        long batchBytes = 0;
        foreach (EntryId entry in EntryId.UpTo(plans.Count))
        {
            if (List(entry) is string path)
            {
                batch.Entries.Add((entry, path));
                batchBytes += plans.Content.SizeOf(entry);
            }

            if (batch.Entries.Count == BatchEntries || batchBytes >= BatchBytes)
            {
                await output.WriteAsync(batch).ConfigureAwait(false);
                batch = new FileListed();
                batchBytes = 0;
            }
        }

        await output.WriteAsync(batch).ConfigureAwait(false);
    }

    /// <summary>Decides about an entry, as far as possible without a scan of the target.</summary>
    /// <returns>The path to scan, or null if no scan is needed.</returns>
    private string? List(EntryId entry)
    {
        VersionContent content = plans.Content;
        EntryKind kind = content.Entries[entry].Kind;
        if (plans.Paths.Map(content.PathOf(entry, ref original), kind, ref buffer, out int length) is string refusal)
        {
            Refuse(entry, refusal);
            return null;
        }

        if (length > MaxPathBytes)
        {
            Refuse(entry, $"The path at the target is {length:N0} bytes long, which is longer than {MaxPathBytes:N0} bytes");
            return null;
        }

        if (kind == EntryKind.Symlink && options.SkipMetadata)
        {
            // Asked for, so it is a note and not a loss.
            const string Reason = "The target of a link is metadata, which this restore leaves out";
            issues.Add(new RestoreIssue(IssueKind.Warning, content.PathText(entry), Reason) { Code = IssueCode.LinkWithoutMetadata });
            return null;
        }

        if (buffer.AsSpan(0, length).EndsWith(RecordNames.Suffix) && RecordNames.IsRecord(Path.GetFileName(Encoding.UTF8.GetString(buffer, 0, length))))
        {
            issues.Add(new RestoreIssue(IssueKind.Warning, content.PathText(entry), RecordNames.LeftOutReason));
            return null;
        }

        if (RefuseSize(entry) is IssueReason reason)
        {
            Refuse(entry, reason.Sentence, reason.Code);
            return null;
        }

        if (names is not null && names.Claim(buffer.AsSpan(0, length), kind) is string taken)
        {
            Refuse(entry, taken);
            return null;
        }

        plans[entry] = EntryAction.Create;
        NoteOtherName(entry, length);
        return kind.IsFile() || kind == EntryKind.Symlink ? Encoding.UTF8.GetString(buffer, 0, length) : null;
    }

    /// <summary>Says under which name an entry is restored, if the target does not accept its own.</summary>
    private void NoteOtherName(EntryId entry, int length)
    {
        ReadOnlySpan<byte> own = OriginalPath.NameOf(plans.Content.PathOf(entry, ref original));
        ReadOnlySpan<byte> place = buffer.AsSpan(0, length);
        if (!own.IsEmpty && !place.IsEmpty && !place[(place.LastIndexOf((byte)'/') + 1)..].SequenceEqual(own))
        {
            string name = Encoding.UTF8.GetString(place[(place.LastIndexOf((byte)'/') + 1)..]);
            issues.Add(new RestoreIssue(IssueKind.Warning, plans.Content.PathText(entry), $"The target does not accept its name: it is restored as '{name}'")
            {
                Code = IssueCode.Renamed,
            });
        }
    }

    private IssueReason? RefuseSize(EntryId entry)
    {
        long size = plans.Content.SizeOf(entry);
        long blocks = plans.Content.Layout.BlockCount(size);
        if (blocks > MaxBlocksPerFile)
        {
            return new IssueReason($"The file has {blocks:N0} blocks; more than {MaxBlocksPerFile:N0} in one file are not supported");
        }

        if (plans.Content.RefuseLongBlocks(plans.Content.Entries[entry].Content, maxBlockBytes) is IssueReason tooLong)
        {
            return tooLong;
        }

        long metadataBlocks = plans.Content.Layout.BlockCount(plans.Content.SizeOf(plans.Content.Entries[entry].Metadata));
        long needed = (blocks > 1 ? blocks : 0) + (metadataBlocks > 1 ? metadataBlocks : 0);
        if (needed > blocksLeft)
        {
            return new IssueReason($"The plan has more than {limit:N0} blocks with this entry", IssueCode.TooManyBlocks);
        }

        blocksLeft -= needed;
        return null;
    }

    private void Refuse(EntryId entry, string reason, IssueCode code = IssueCode.None) =>
        issues.Add(
        new RestoreIssue(IssueKind.Refused, plans.Content.PathText(entry), reason) { Code = code, Versions = plans.Content.VersionsOf(entry) });
}
