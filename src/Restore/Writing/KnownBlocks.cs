using System.Buffers.Binary;
using Restore.Memory;

namespace Restore.Writing;

/// <summary>The blocks that a backup has, by hash and size: some 60 bytes each with SHA-256. Not safe for concurrent use.</summary>
internal sealed class KnownBlocks(int hashLength)
{
    private readonly ByteArena hashes = new();
    private readonly SegmentedList<Row> rows = new();

    // Row numbers plus one, so that 0 is an empty slot; the length is a power of two, at most half full.
    private int[] slots = new int[1024];

    public int Count => rows.Count;

    /// <summary>Adds a block; false when it was there already.</summary>
    public bool TryAdd(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(hash.Length, hashLength);
        int slot = Find(hash, sizeBytes);
        if (slots[slot] != 0)
        {
            return false;
        }

        slots[slot] = rows.Add(new Row(hashes.Add(hash), sizeBytes)) + 1;
        if (rows.Count > slots.Length / 2)
        {
            Grow();
        }

        return true;
    }

    // Hashes are spread evenly by nature; any four bytes of one serve as its place.
    private static int Start(ReadOnlySpan<byte> hash) => BinaryPrimitives.ReadInt32LittleEndian(hash);

    private int Find(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        int mask = slots.Length - 1;
        int slot = Start(hash) & mask;
        while (slots[slot] != 0)
        {
            Row row = rows[slots[slot] - 1];
            if (row.SizeBytes == sizeBytes && hashes.Get(row.Hash, hashLength).SequenceEqual(hash))
            {
                return slot;
            }

            slot = (slot + 1) & mask;
        }

        return slot;
    }

    private void Grow()
    {
        slots = new int[checked(slots.Length * 2)];
        int mask = slots.Length - 1;
        for (int row = 0; row < rows.Count; row++)
        {
            int slot = Start(hashes.Get(rows[row].Hash, hashLength)) & mask;
            while (slots[slot] != 0)
            {
                slot = (slot + 1) & mask;
            }

            slots[slot] = row + 1;
        }
    }

    private readonly record struct Row(long Hash, long SizeBytes);
}
