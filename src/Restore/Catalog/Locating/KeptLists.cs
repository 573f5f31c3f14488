namespace Restore.Catalog.Locating;

/// <summary>
/// Lists of blocks that nothing needs yet, kept in bounded memory: while blocklists are missing,
/// such a block may become needed. Not safe for concurrent use.
/// </summary>
internal sealed class KeptLists(long maxBytes) : IDisposable
{
    // Most index volumes list a few hundred blocks: each list in a buffer of its own would take
    // twice the memory.
    private const int SharedBytes = 1 << 20;

    private readonly List<ListedBlocks> lists = [];
    private readonly List<(string VolumeName, ListedBlocks Blocks)> absent = [];
    private PooledBuffer? shared;
    private long bytes;

    /// <summary>Keeps all of the lists, or none if they do not fit.</summary>
    /// <param name="more">The lists; those that are kept are removed.</param>
    /// <returns>False if they do not fit.</returns>
    public bool TryKeep(List<ListedBlocks> more)
    {
        List<ListedBlocks> unknown = more.FindAll(blocks => blocks.Count > 0);
        long moreBytes = unknown.Sum(blocks => (long)blocks.SizeBytes);
        if (bytes + moreBytes > maxBytes)
        {
            return false;
        }

        bytes += moreBytes;
        unknown.ForEach(blocks => blocks.MoveTo(ref shared, SharedBytes));
        lists.AddRange(unknown);
        more.RemoveAll(unknown.Contains);
        return true;
    }

    /// <summary>
    /// Keeps the lists of absent volumes, for the report; those that are kept are removed from the
    /// argument.
    /// </summary>
    public void KeepAbsent(List<(string VolumeName, ListedBlocks Blocks)> more)
    {
        foreach ((string VolumeName, ListedBlocks Blocks) volume in more.FindAll(volume => volume.Blocks.Count > 0))
        {
            if (bytes + volume.Blocks.SizeBytes <= maxBytes)
            {
                bytes += volume.Blocks.SizeBytes;
                volume.Blocks.MoveTo(ref shared, SharedBytes);
                absent.Add(volume);
                more.Remove(volume);
            }
        }
    }

    public void OfferTo(BlockIndex index) => lists.ForEach(blocks => blocks.OfferTo(index));

    public void NoteLost(BlockIndex index) =>
        absent.ForEach(volume => volume.Blocks.NoteLostWith(volume.VolumeName, index));

    public void Dispose()
    {
        lists.ForEach(blocks => blocks.Dispose());
        absent.ForEach(volume => volume.Blocks.Dispose());
        lists.Clear();
        absent.Clear();
        shared?.Dispose();
        shared = null;
    }
}
