using System.Buffers.Binary;
using Restore.Memory;

namespace Restore.Writing;

/// <summary>The blocks that a backup has, by hash and size: some 50 bytes each with SHA-256. Not safe for concurrent use.</summary>
internal sealed class KnownBlocks(int hashLength)
{
    private readonly HashList hashes = new(hashLength);
    private readonly SegmentedList<long> sizes = new();

    // Numbers of blocks plus one, so that 0 is an empty slot; the length is a power of two, at most half full.
    private int[] slots = new int[1024];

    public int Count => sizes.Count;

    /// <summary>Adds a block; false when it was there already.</summary>
    public bool TryAdd(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(hash.Length, hashLength);
        int slot = Find(hash, sizeBytes);
        if (slots[slot] != 0)
        {
            return false;
        }

        slots[slot] = sizes.Add(sizeBytes) + 1;
        hashes.Add(hash);
        if (sizes.Count > slots.Length / 2)
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
            int block = slots[slot] - 1;
            if (sizes[block] == sizeBytes && hashes[block].SequenceEqual(hash))
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
        for (int block = 0; block < sizes.Count; block++)
        {
            int slot = Start(hashes[block]) & mask;
            while (slots[slot] != 0)
            {
                slot = (slot + 1) & mask;
            }

            slots[slot] = block + 1;
        }
    }
}
