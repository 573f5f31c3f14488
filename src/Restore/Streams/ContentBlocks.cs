namespace Restore.Streams;

/// <summary>The blocks of one content, by their index in it.</summary>
internal sealed class ContentBlocks(VersionContent version, ContentId content)
{
    public ContentId Content => content;

    public long SizeBytes { get; } = version.SizeOf(content);

    public int Count { get; } = version.BlockCountOf(content);

    /// <summary>The block at an index, or none if it is unknown.</summary>
    public BlockId this[int index] => version.BlockOf(content, index);

    public int IndexOf(long offset) => (int)(offset / version.Layout.BlockSizeBytes);

    public long OffsetOf(int index) => version.Layout.OffsetOf(index);

    public long EndOf(int index) => Math.Min(SizeBytes, OffsetOf(index) + version.Layout.BlockSizeBytes);

    /// <summary>The blocks from one index to before another one.</summary>
    public IEnumerable<BlockId> Range(int from, int to)
    {
        for (int index = from; index < to; index++)
        {
            yield return this[index];
        }
    }

    /// <summary>
    /// The index after the last block that a number of bytes reaches, counted from the start of a
    /// block; at least one block.
    /// </summary>
    public int EndAfter(int from, long bytes) =>
        (int)Math.Clamp(from + (bytes / version.Layout.BlockSizeBytes), from + 1L, Math.Max(from + 1, Count));
}
