namespace Restore.Format;

/// <summary>
/// The block size is the length of every block but the last. It is at least 1 KiB, and not always a
/// multiple of the hash length. FileHash names whole files and metadata blobs.
/// </summary>
internal readonly record struct BlockLayout(int BlockSizeBytes, HashKind BlockHash, HashKind FileHash)
{
    public int HashesPerBlocklist => BlockSizeBytes / BlockHash.LengthBytes();

    public long OffsetOf(long index) => index * BlockSizeBytes;

    // Most files have one block, and divisions are slow.
    public long BlockCount(long sizeBytes) =>
        sizeBytes > 0 && sizeBytes <= BlockSizeBytes
            ? 1
            : (sizeBytes / BlockSizeBytes) + (sizeBytes % BlockSizeBytes == 0 ? 0 : 1);

    /// <summary>Number of blocklists of a file; 0 for a file of at most one block.</summary>
    public long BlocklistCount(long sizeBytes)
    {
        long blocks = BlockCount(sizeBytes);
        return blocks <= 1 ? 0 : (blocks + HashesPerBlocklist - 1) / HashesPerBlocklist;
    }

    public int BlockLength(long sizeBytes, long index) => (int)Math.Min(BlockSizeBytes, sizeBytes - OffsetOf(index));

    public int BlocklistLength(long sizeBytes, long index) =>
        (int)Math.Min(HashesPerBlocklist, BlockCount(sizeBytes) - (index * HashesPerBlocklist))
        * BlockHash.LengthBytes();
}
