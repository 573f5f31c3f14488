namespace Restore.Catalog.Locating;

internal sealed class ListSink(
    IndexContents contents,
    Volume? described,
    string name,
    BlockLayout layout,
    BufferPool pool,
    long expected
) : IIndexSink, IDisposable
{
    private ListedBlocks? blocks = NewList(described, layout, pool, expected);

    public void Block(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        if (blocks!.IsFull)
        {
            Complete();
            blocks = NewList(described, layout, pool, expected);
        }

        blocks.Block(hash, sizeBytes);
    }

    public void Complete()
    {
        contents.Add(described, name, blocks!);
        blocks = null;
    }

    public void Dispose() => blocks?.Dispose();

    private static ListedBlocks NewList(Volume? described, BlockLayout layout, BufferPool pool, long expected) =>
        new(layout.BlockHash, pool, expected) { Volume = described?.Id ?? VolumeId.None };
}
