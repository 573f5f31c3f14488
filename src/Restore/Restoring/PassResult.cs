namespace Restore.Restoring;

/// <summary>The result of a pass: counts of correct entries, and the outcomes of the others and of those that phase 3 needs.</summary>
internal sealed class PassResult(VersionContent content, EntryResults? results, VolumeTally volumes)
{
    private readonly List<FileOutcome> openHashes = [];

    public long FilesRestored { get; private set; }

    public long BytesRestored { get; private set; }

    public long BytesWritten { get; private set; }

    public long BytesCopied { get; private set; }

    /// <summary>Folders and links, whose metadata is applied in phase 3, and shares of files that other parts of a split plan write too.</summary>
    public List<FileOutcome> Deferred { get; } = [];

    /// <summary>Entries with missing blocks.</summary>
    public List<FileOutcome> Incomplete { get; } = [];

    /// <summary>Entries that could not be written, and files with a wrong file hash.</summary>
    public List<FileOutcome> Bad { get; } = [];

    /// <summary>Files with metadata that is unsound or could not be applied.</summary>
    public List<FileOutcome> MetadataProblems { get; } = [];

    public VolumeTally Volumes => volumes;

    public IReadOnlyList<ProcessProfile> Profile { get; set; } = [];

    public long PeakStoreBytes { get; set; }

    /// <summary>What the pass did not bring, for the plan of the next pass.</summary>
    public PassLosses ToLosses() => new(volumes.MissingBlocks, [.. Incomplete.Select(outcome => new UnfinishedEntry(
        outcome.Entry, outcome.IsStarted, outcome.HasMetadata && (outcome.IsStarted || outcome.Metadata is not null))
    {
        WrongBlocks = outcome.WrongBlocks,
    })], volumes.UnreadableVolumes);

    /// <summary>Takes the outcomes of files whose hash is open; each is added again once it is known.</summary>
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

/// <summary>The result of an entry in a pass.</summary>
internal enum OutcomeKind : byte
{
    /// <summary>Its content is in place and verified (or it has none).</summary>
    Restored,

    /// <summary>Blocks are missing or wrong; the others are in place.</summary>
    Incomplete,

    /// <summary>All blocks are in place, but the file does not have the recorded hash.</summary>
    Unverified,

    /// <summary>It could not be written.</summary>
    Failed,
}

internal sealed record FileOutcome(EntryId Entry, OutcomeKind Kind)
{
    /// <summary>Why it failed.</summary>
    public IssueReason Reason { get; init; }

    /// <summary>Whether anything of it is at the target.</summary>
    public bool IsStarted { get; init; }

    /// <summary>Whether its metadata came and was applied (for folders and links: is in <see cref="Metadata"/>).</summary>
    public bool HasMetadata { get; init; }

    /// <summary>For folders, links and shares: the metadata, to be applied at the end.</summary>
    public EntryMetadata? Metadata { get; init; }

    /// <summary>Why metadata of a file is lost: the backup has unsound values.</summary>
    public IReadOnlyList<string> UnusableMetadata { get; init; } = [];

    /// <summary>Why metadata could not be applied: the target refuses it.</summary>
    public IReadOnlyList<string> MetadataProblems { get; init; } = [];

    /// <summary>Blocks that did not come or had a wrong hash; nothing of them is left in the file.</summary>
    public IReadOnlyList<BlockId> WrongBlocks { get; init; } = [];

    /// <summary>Whether each block is right, but the hash of the whole file is not compared yet (<see cref="OpenHashes"/>).</summary>
    public bool IsHashOpen { get; init; }

    /// <summary>Whether it is that of a share: other parts of a split plan write the file too.</summary>
    public bool IsShare { get; init; }

    /// <summary>Of a share: whether blocks of the content are lost, and not only the metadata.</summary>
    public bool LacksContent { get; init; }

    public long BytesWritten { get; init; }

    public long BytesCopied { get; init; }
}
