using Restore.Volumes;

namespace Restore.Catalog.Database;

/// <summary>A row of a blockset as it was read.</summary>
/// <param name="At">Where in the list of what is wanted its blockset starts.</param>
/// <param name="End">Where what one worker reads of that list ends.</param>
/// <param name="Index">Which block of the blockset it is.</param>
/// <param name="SizeBytes">Length of the block.</param>
/// <param name="Volume">The volume in the folder that has it, or <see cref="VolumeId.None"/>.</param>
internal record struct BlockRow(int At, int End, long Index, long SizeBytes, VolumeId Volume);

/// <summary>Rows read on one connection, until there are enough to apply them in one go.</summary>
internal sealed class BlockRows(int hashLength)
{
    // 8,192 rows with their hashes are half a MiB for each connection.
    private const int Capacity = 8192;

    private readonly BlockRow[] rows = new BlockRow[Capacity];
    private readonly byte[] hashes = new byte[Capacity * hashLength];

    public int Count { get; private set; }

    public bool IsFull => Count == Capacity;

    public ref BlockRow this[int row] => ref rows[row];

    public ReadOnlySpan<byte> HashOf(int row) => hashes.AsSpan(row * hashLength, hashLength);

    public void Add(int at, int end, long index, ReadOnlySpan<byte> hash, long sizeBytes, VolumeId volume)
    {
        hash.CopyTo(hashes.AsSpan(Count * hashLength));
        rows[Count++] = new BlockRow(at, end, index, sizeBytes, volume);
    }

    public void Clear() => Count = 0;
}
