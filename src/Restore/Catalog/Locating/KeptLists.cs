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
    /// <param name="more">The lists; emptied if they are kept.</param>
    /// <returns>False if they do not fit.</returns>
    public bool TryKeep(List<ListedBlocks> more)
    {
        long moreBytes = more.Sum(blocks => (long)blocks.SizeBytes);
        if (moreBytes == 0)
        {
            return true;
        }

        if (bytes + moreBytes > maxBytes)
        {
            return false;
        }

        bytes += moreBytes;
        lists.AddRange(more);
        more.Clear();
        return true;
    }

    /// <summary>Keeps the lists of absent volumes, for the report; the argument is emptied if they are kept.</summary>
    public void KeepAbsent(List<(string VolumeName, ListedBlocks Blocks)> more)
    {
        long moreBytes = more.Sum(volume => (long)volume.Blocks.SizeBytes);
        if (bytes + moreBytes <= maxBytes)
        {
            bytes += moreBytes;
            absent.AddRange(more);
            more.Clear();
        }
    }

    /// <summary>Offers the kept blocks again.</summary>
    public void OfferTo(BlockNeeds needs) => lists.ForEach(blocks => blocks.OfferTo(needs));

    /// <summary>Records the absent volumes of the blocks that have no location.</summary>
    public void NoteLost(BlockNeeds needs) => absent.ForEach(volume => volume.Blocks.NoteLostWith(volume.VolumeName, needs));

    public void Dispose()
    {
        lists.ForEach(blocks => blocks.Dispose());
        absent.ForEach(volume => volume.Blocks.Dispose());
        lists.Clear();
        absent.Clear();
    }
}
