using Restore.Reading;

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

    public List<FileOutcome> Incomplete { get; } = [];

    /// <summary>Entries that could not be written, and files with a wrong file hash.</summary>
    public List<FileOutcome> Bad { get; } = [];

    /// <summary>Files with metadata that is unsound or could not be applied.</summary>
    public List<FileOutcome> MetadataProblems { get; } = [];

    public VolumeTally Volumes => volumes;

    public IReadOnlyList<ProcessProfile> Profile { get; set; } = [];

    public long PeakStoreBytes { get; set; }

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

internal enum OutcomeKind : byte
{
    /// <summary>Its content is in place and verified (or it has none).</summary>
    Restored,

    /// <summary>Blocks are missing or wrong; the others are in place.</summary>
    Incomplete,

    /// <summary>All blocks are in place, but the file does not have the recorded hash.</summary>
    Unverified,

    Failed,
}

internal sealed record FileOutcome(EntryId Entry, OutcomeKind Kind)
{
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

internal sealed class RunResult(RestorePlan plan, EntryStates states)
{
    private readonly List<PassResult> passes = [];
    private readonly Dictionary<BlockId, List<string>> triedVolumes = [];

    public IReadOnlyList<PassResult> Passes => passes;

    public PassPlan LastPlan { get; private set; } = plan.Pass;

    public PassLosses Losses { get; private set; } = PassLosses.None;

    public EntryStates States { get; } = states;

    /// <summary>Defects found while blocks were searched elsewhere.</summary>
    public IssueLog Issues { get; } = new();

    /// <summary>The names of the volumes in which lost blocks were searched.</summary>
    public IEnumerable<IReadOnlyList<string>> TriedVolumes => triedVolumes.Values;

    /// <summary>By volume: the blocks that were searched in it and not found.</summary>
    public ILookup<string, BlockId> MissedBlocks() =>
        triedVolumes.SelectMany(tried => tried.Value, (tried, volume) => (Block: tried.Key, Volume: volume)).ToLookup(miss => miss.Volume, miss => miss.Block);

    /// <summary>The copies that the last pass lost for good; copies in unreadable volumes may be tried once more.</summary>
    public IEnumerable<Replica> FinalLosses() => LostReplicas().Where(lost => !MayReturn(lost));

    /// <summary>The copies that the last pass lost in an unreadable volume, and that a search may find again.</summary>
    public IEnumerable<Replica> LossesToRetry() => LostReplicas().Where(MayReturn);

    public void Add(PassPlan pass, PassResult result)
    {
        passes.Add(result);
        LastPlan = pass;
        Losses = result.ToLosses();
        foreach (BlockId block in Losses.Blocks)
        {
            if (pass.Locations.VolumeOf(block) is { IsNone: false } volume)
            {
                List<string> tried = triedVolumes.TryGetValue(block, out List<string>? known) ? known : triedVolumes[block] = [];
                tried.Add(pass.Volumes[volume].FileName);
            }
        }
    }

    private IEnumerable<Replica> LostReplicas() => Losses.Blocks
        .Select(block => new Replica(block, LastPlan.Locations.VolumeOf(block)))
        .Where(replica => !replica.Volume.IsNone);

    private bool MayReturn(Replica lost) => passes.Count == 1 && Losses.UnreadableVolumes.Contains(lost.Volume);

    public IReadOnlyList<string> TriedVolumesOf(BlockId block) => triedVolumes.GetValueOrDefault(block) ?? [];
}

/// <summary>The result of a run, with what a part of a split plan leaves to the end.</summary>
/// <param name="Deferred">Folders and links with their metadata, and shares of files.</param>
/// <param name="Missed">By volume: blocks that it should have, and that were searched elsewhere.</param>
/// <param name="PlaceOf">Where an entry is: at its path, or next to what somebody has put there.</param>
internal sealed record PartResult(
    RestoreReport Report, IReadOnlyList<FileOutcome> Deferred, ILookup<string, BlockId> Missed, LeftOutAttributes LeftOut, Func<EntryId, string> PlaceOf);

/// <summary>Counts the volumes of a pass: how many are finished, their defects, and the blocks that they lacked.</summary>
internal sealed class VolumeTally(ProgressMeter progress)
{
    /// <summary>Blocks that their volumes did not have: every entry that needs them lacks them.</summary>
    public HashSet<BlockId> MissingBlocks { get; } = [];

    public List<RestoreIssue> Issues { get; } = [];

    /// <summary>Volumes of which nothing could be read.</summary>
    public HashSet<VolumeId> UnreadableVolumes { get; } = [];

    /// <summary>The volumes that were fetched.</summary>
    public HashSet<VolumeId> Done { get; } = [];

    /// <summary>Of those, the volumes of which only the needed entries were read.</summary>
    public HashSet<VolumeId> DoneInPart { get; } = [];

    public void End(WantedVolume volume, VolumeEnd end, int missingBlocks)
    {
        if (!volume.IsContinued)
        {
            Done.Add(volume.Volume.Id);
            if (end.IsReadInPart)
            {
                DoneInPart.Add(volume.Volume.Id);
            }

            progress.VolumeDone();
        }

        // Several parts of a volume have the same defects.
        foreach (string defect in end.Defects)
        {
            if (volume.PartBytes is null || !Issues.Exists(issue => issue.Path == volume.Volume.FileName && issue.Reason == defect))
            {
                Issues.Add(new RestoreIssue(IssueKind.Warning, volume.Volume.FileName, defect) { Code = end.Code });
            }
        }

        if (end.Defects.Count > 0 && missingBlocks == volume.Count)
        {
            UnreadableVolumes.Add(volume.Volume.Id);
        }
    }
}
