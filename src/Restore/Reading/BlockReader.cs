namespace Restore.Reading;

/// <summary>Searches other volumes for blocks that were not where they should be.</summary>
/// <returns>The locations with the found copies.</returns>
internal delegate Task<Locations> BlockSearch(
    Locations known,
    IReadOnlyCollection<BlockId> lost,
    CancellationToken cancellationToken
);

/// <summary>
/// Reads blocks of a version by their numbers, for readers that want some blocks now and others
/// later. If a copy of a block cannot be read, the next one is tried. A block without a copy is
/// searched elsewhere, once. Safe for concurrent use.
/// </summary>
/// <param name="table">The blocks of the version; frozen.</param>
/// <param name="locations">The copies of the blocks.</param>
/// <param name="search">Searches elsewhere; null for never.</param>
internal sealed class BlockReader(
    BlockTable table,
    Locations locations,
    IReadOnlyList<Volume> volumes,
    BlockStream stream,
    BlockSearch? search = null
)
{
    /// <summary>
    /// The volume that a block is read from first; none if it has no known location.
    /// </summary>
    public VolumeId VolumeOf(BlockId block) => locations.VolumeOf(block);

    /// <summary>The volume that a lost block should be in; null if unknown.</summary>
    public string? LostWith(BlockId block) =>
        locations.LostWith(block) ?? (VolumeOf(block) is { IsNone: false } volume ? volumes[volume].FileName : null);

    /// <summary>
    /// Whether a volume is fetched and decrypted as a whole, however few of its blocks are read.
    /// </summary>
    public bool ReadsWhole(VolumeId volume) => stream.ReadsWhole(volumes[volume]);

    /// <summary>
    /// Reads blocks, volume by volume, and keeps the directories of the volumes for the next read.
    /// </summary>
    /// <param name="blocks">The blocks in the order in which they are needed, each once.</param>
    /// <param name="searches">Whether blocks without a copy are searched elsewhere.</param>
    /// <param name="onBlock">Receives each block once; the bytes are valid during the call.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The blocks that cannot be read from any volume.</returns>
    /// <exception cref="RestoreException">The store is lost.</exception>
    public async Task<IReadOnlyCollection<BlockId>> ReadAsync(
        IReadOnlyList<BlockId> blocks,
        bool searches,
        Action<BlockId, ReadOnlyMemory<byte>> onBlock,
        CancellationToken cancellationToken
    )
    {
        HashSet<BlockId> missing = [.. blocks];
        Locations known = locations;

        // What came damaged from a remote store can have been damaged on its way.
        bool fetchesAgain = stream.IsRemote;
        while (missing.Count > 0)
        {
            BlockId[] wanted = [.. blocks.Where(missing.Contains)];
            FetchList list = FetchList.Create(table, known, volumes, wanted).KeepingDirectories();
            if (list.Blocks.Length > 0)
            {
                await stream.ReadAsync(list, Take, cancellationToken).ConfigureAwait(false);
                known = missing.Count == 0 || fetchesAgain ? known : known.Without(CopiesOfMissing(list, known));
                fetchesAgain = false;
            }
            else if (searches && search is not null)
            {
                searches = false;
                known = await search(known, missing, cancellationToken).ConfigureAwait(false);
            }
            else
            {
                break;
            }
        }

        return missing;

        void Take(BlockId block, ReadOnlyMemory<byte> bytes)
        {
            onBlock(block, bytes);
            missing.Remove(block);
        }

        Replica[] CopiesOfMissing(FetchList list, Locations tried) =>
            [.. list.Blocks.Where(missing.Contains).Select(block => new Replica(block, tried.VolumeOf(block)))];
    }
}
