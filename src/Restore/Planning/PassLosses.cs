namespace Restore.Planning;

/// <summary>What a pass did not bring.</summary>
/// <param name="Missing">Blocks that were not where the plan said, or had other bytes: every entry
/// lacks them.</param>
/// <param name="UnreadableVolumes">Volumes from which nothing could be read: their blocks may be
/// right, and are tried again if the volume becomes readable.</param>
/// <param name="DoubtfulVolumes">Volumes that lacked a block, and may have been damaged on their
/// way.</param>
internal sealed record PassLosses(
    IReadOnlySet<BlockId> Missing,
    IReadOnlyList<UnfinishedEntry> Entries,
    IReadOnlySet<VolumeId> UnreadableVolumes,
    IReadOnlySet<VolumeId> DoubtfulVolumes
)
{
    public static PassLosses None { get; } =
        new(new HashSet<BlockId>(), [], new HashSet<VolumeId>(), new HashSet<VolumeId>());

    /// <summary>All blocks that some entry lacks.</summary>
    public IReadOnlySet<BlockId> Blocks { get; } =
        new HashSet<BlockId>(Missing.Concat(Entries.SelectMany(entry => entry.WrongBlocks)));

    public Predicate<BlockId> LostTo(UnfinishedEntry entry)
    {
        if (entry.WrongBlocks.Count == 0)
        {
            return Missing.Contains;
        }

        HashSet<BlockId> wrong = [.. entry.WrongBlocks];
        return block => wrong.Contains(block) || Missing.Contains(block);
    }
}
