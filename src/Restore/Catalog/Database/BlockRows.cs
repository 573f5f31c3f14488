using Restore.Volumes;

namespace Restore.Catalog.Database;

/// <summary>A row of a blockset as read.</summary>
/// <param name="At">Start of its blockset in the list of needed contents.</param>
/// <param name="End">End of the worker's part of that list.</param>
/// <param name="Index">Index of the block in the blockset.</param>
/// <param name="SizeBytes">Length of the block.</param>
/// <param name="Volume">The volume in the folder that has the block, or <see cref="VolumeId.None"/>.</param>
internal record struct BlockRow(int At, int End, long Index, long SizeBytes, VolumeId Volume);

/// <summary>Rows from one connection, collected until there are enough to apply them together.</summary>
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
