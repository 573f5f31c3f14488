namespace Restore.Catalog.Locating;

/// <summary>
/// Lists of blocks that nothing needs yet, kept in bounded memory: while blocklists are missing, such a block may become needed. Not safe for
/// concurrent use.
/// </summary>
internal sealed class KeptLists(long maxBytes) : IDisposable
{
    private readonly List<ListedBlocks> lists = [];
    private readonly List<(string VolumeName, ListedBlocks Blocks)> absent = [];
    private long bytes;

    /// <summary>Keeps all of the lists, or none if they do not fit.</summary>
    /// <param name="more">The lists; those that are kept are removed.</param>
    /// <returns>False if they do not fit.</returns>
    public bool TryKeep(List<ListedBlocks> more)
    {
        List<ListedBlocks> unknown = more.FindAll(blocks => blocks.Count > 0);
        long moreBytes = unknown.Sum(blocks => (long)blocks.MemoryBytes);
        if (bytes + moreBytes > maxBytes)
        {
            return false;
        }

        bytes += moreBytes;
        lists.AddRange(unknown);
        more.RemoveAll(unknown.Contains);
        return true;
    }

    /// <summary>Keeps the lists of absent volumes, for the report; those that are kept are removed from the argument.</summary>
    public void KeepAbsent(List<(string VolumeName, ListedBlocks Blocks)> more)
    {
        foreach ((string VolumeName, ListedBlocks Blocks) volume in more.FindAll(volume => volume.Blocks.Count > 0))
        {
            if (bytes + volume.Blocks.MemoryBytes <= maxBytes)
            {
                bytes += volume.Blocks.MemoryBytes;
                absent.Add(volume);
                more.Remove(volume);
            }
        }
    }

    /// <summary>Offers the kept blocks again.</summary>
    public void OfferTo(BlockIndex index) => lists.ForEach(blocks => blocks.OfferTo(index));

    /// <summary>Records the absent volumes of the blocks that have no location.</summary>
    public void NoteLost(BlockIndex index) => absent.ForEach(volume => volume.Blocks.NoteLostWith(volume.VolumeName, index));

    public void Dispose()
    {
        lists.ForEach(blocks => blocks.Dispose());
        absent.ForEach(volume => volume.Blocks.Dispose());
        lists.Clear();
        absent.Clear();
    }
}
