using Restore.Catalog.Locating;

namespace Restore.Maintenance.Repair;

/// <summary>
/// The blocks that entries need and no volume has, and which of them were found elsewhere.
/// </summary>
internal sealed class LostBlocks(ReferencedBlocks references)
{
    private readonly HashSet<(string Hash, int SizeBytes)> found = [];
    private readonly BlockId zeros = references.FullZeros;

    public BlockLayout Layout => references.Layout;

    public long FoundCount => found.Count;

    public long FoundBytes { get; private set; }

    /// <summary>
    /// Whether an entry needs a block that is in no volume and was not found so far.
    /// </summary>
    public bool IsWanted(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        BlockId block = references.Find(hash, sizeBytes);
        return !block.IsNone && block != zeros && references.IsReferenced(block) && IsAbsent(hash, sizeBytes);
    }

    /// <summary>
    /// Whether a block is in no volume and was not found so far, whether or not an entry is known
    /// to need it.
    /// </summary>
    public bool IsAbsent(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        BlockId block = references.Find(hash, sizeBytes);

        // The bytes of the block of zeros are known, so it is never lost.
        return (block.IsNone || (block != zeros && references.VolumeOf(block).IsNone))
            && !found.Contains(Key(hash, sizeBytes));
    }

    public void NoteFound(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        if (found.Add(Key(hash, sizeBytes)))
        {
            FoundBytes += sizeBytes;
        }
    }

    private static (string Hash, int SizeBytes) Key(ReadOnlySpan<byte> hash, int sizeBytes) =>
        (Convert.ToBase64String(hash), sizeBytes);
}
