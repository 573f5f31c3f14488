namespace Restore.Restoring;

/// <summary>
/// The result of a pass: counts of correct entries, and the outcomes of all other entries and of
/// the entries that phase 3 needs.
/// </summary>
internal sealed class PassResult(VersionContent content, EntryResults? results, VolumeTally volumes)
{
    private readonly List<FileOutcome> openHashes = [];

    public long FilesRestored { get; private set; }

    public long BytesRestored { get; private set; }

    public long BytesWritten { get; private set; }

    public long BytesCopied { get; private set; }

    /// <summary>
    /// Folders and links, because phase 3 applies their metadata, and shares of files that other
    /// parts of a split plan write too.
    /// </summary>
    public List<FileOutcome> Deferred { get; } = [];

    public List<FileOutcome> Incomplete { get; } = [];

    /// <summary>Entries that could not be written, and files with a wrong file hash.</summary>
    public List<FileOutcome> Bad { get; } = [];

    /// <summary>Files with metadata that is unsound or could not be applied.</summary>
    public List<FileOutcome> MetadataProblems { get; } = [];

    public VolumeTally Volumes => volumes;

    public IReadOnlyList<ProcessProfile> Profile { get; set; } = [];

    public long PeakStoreBytes { get; set; }

    public PassLosses ToLosses() =>
        new(
            volumes.MissingBlocks,
            [
                .. Incomplete.Select(outcome => new UnfinishedEntry(
                    outcome.Entry,
                    outcome.IsStarted,
                    outcome.HasMetadata && (outcome.IsStarted || outcome.Metadata is not null)
                )
                {
                    WrongBlocks = outcome.WrongBlocks,
                }),
            ],
            volumes.UnreadableVolumes,
            volumes.DoubtfulVolumes
        );

    /// <summary>
    /// Takes the outcomes of files with an open hash. Each outcome is added again once the hash is
    /// known.
    /// </summary>
    public IReadOnlyList<FileOutcome> TakeOpenHashes()
    {
        FileOutcome[] taken = [.. openHashes];
        openHashes.Clear();
        return taken;
    }

    public void Add(FileOutcome outcome)
    {
        if (outcome.IsHashOpen)
        {
            openHashes.Add(outcome);
            return;
        }

        results?.Report(outcome);
        EntryRow row = content.Entries[outcome.Entry];
        BytesWritten += outcome.BytesWritten;
        RestoreTelemetry.BytesWritten.Add(outcome.BytesWritten);
        BytesCopied += outcome.BytesCopied;
        bool isDeferred = outcome.IsShare || row.Kind is EntryKind.Folder or EntryKind.Symlink;
        if (isDeferred && outcome.Kind is OutcomeKind.Restored or OutcomeKind.Incomplete)
        {
            Deferred.Add(outcome);
        }

        switch (outcome.Kind)
        {
            case OutcomeKind.Incomplete:
                Incomplete.Add(outcome);
                break;
            case OutcomeKind.Failed or OutcomeKind.Unverified:
                Bad.Add(outcome);
                break;
            case OutcomeKind.Restored when row.Kind.IsFile() && !outcome.IsShare:
                FilesRestored++;
                BytesRestored += content.SizeOf(outcome.Entry);
                break;
        }

        if (outcome.UnusableMetadata.Count + outcome.MetadataProblems.Count > 0)
        {
            MetadataProblems.Add(outcome);
        }
    }
}

/// <summary>The result of a run, with what a part of a split plan leaves to the end.</summary>
/// <param name="Deferred">Folders and links with their metadata, and shares of files.</param>
/// <param name="Missed">By volume: blocks that it should have, and that were searched
/// elsewhere.</param>
/// <param name="PlaceOf">Where an entry is: at its path, or next to another file at that
/// path.</param>
internal sealed record PartResult(
    RestoreReport Report,
    IReadOnlyList<FileOutcome> Deferred,
    ILookup<string, BlockId> Missed,
    LeftOutAttributes LeftOut,
    Func<EntryId, string> PlaceOf
);
