namespace Restore.Catalog;

/// <summary>The full block of zeros: its hash identifies it, so it is never fetched.</summary>
internal static class ZeroBlock
{
    /// <summary>The id of the block in a version, or none if no content has it.</summary>
    public static BlockId Find(VersionContent content) =>
        content.Blocks.Find(HashOf(content.Layout), content.Layout.BlockSizeBytes);

    public static byte[] HashOf(BlockLayout layout)
    {
        using PartsHash hash = new(layout.BlockHash);
        byte[] zeros = new byte[64 << 10];
        for (int left = layout.BlockSizeBytes; left > 0; left -= Math.Min(left, zeros.Length))
        {
            hash.Append(zeros.AsSpan(0, Math.Min(left, zeros.Length)));
        }

        byte[] digest = new byte[layout.BlockHash.LengthBytes()];
        hash.Finish(digest);
        return digest;
    }
}
