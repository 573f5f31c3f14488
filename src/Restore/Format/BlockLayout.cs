namespace Restore.Format;

/// <summary>How a backup cuts files into blocks: block size and the two hash algorithms, from the manifest.</summary>
/// <param name="BlockSizeBytes">Length of every block of a file but its last; 1 KiB at least, not always a multiple of the hash length.</param>
/// <param name="BlockHash">Names blocks.</param>
/// <param name="FileHash">Names whole files and metadata blobs.</param>
internal readonly record struct BlockLayout(int BlockSizeBytes, HashKind BlockHash, HashKind FileHash)
{
    /// <summary>Hashes that fit into one blocklist block.</summary>
    public int HashesPerBlocklist => BlockSizeBytes / BlockHash.LengthBytes();

    /// <summary>Where block <paramref name="index"/> of a file starts.</summary>
    public long OffsetOf(long index) => index * BlockSizeBytes;

    // Most files have one block, and divisions are slow.
    public long BlockCount(long sizeBytes) =>
        sizeBytes > 0 && sizeBytes <= BlockSizeBytes ? 1 : (sizeBytes / BlockSizeBytes) + (sizeBytes % BlockSizeBytes == 0 ? 0 : 1);

    /// <summary>Number of blocklists of a file; 0 for a file of at most one block.</summary>
    public long BlocklistCount(long sizeBytes)
    {
        long blocks = BlockCount(sizeBytes);
        return blocks <= 1 ? 0 : (blocks + HashesPerBlocklist - 1) / HashesPerBlocklist;
    }

    /// <summary>Length of block <paramref name="index"/> of a file of <paramref name="sizeBytes"/>.</summary>
    public int BlockLength(long sizeBytes, long index) => (int)Math.Min(BlockSizeBytes, sizeBytes - OffsetOf(index));

    /// <summary>Length in bytes of blocklist <paramref name="index"/> of a file of <paramref name="sizeBytes"/>.</summary>
    public int BlocklistLength(long sizeBytes, long index) =>
        (int)Math.Min(HashesPerBlocklist, BlockCount(sizeBytes) - (index * HashesPerBlocklist)) * BlockHash.LengthBytes();
}
