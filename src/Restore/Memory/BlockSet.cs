using System.Numerics;

namespace Restore.Memory;

/// <summary>Blocks by (hash, size), numbered in the order of arrival: about 45 bytes each with hashes of 32 bytes. Flat arrays; a look-up allocates nothing.
/// Look-ups may run concurrently with each other, but not with an addition.</summary>
internal sealed class BlockSet(int hashLength)
{
    // One multiplication takes this many bytes; no hash is shorter.
    private const int MixedBytes = 16;

    // A backup chooses its hashes, and a hostile backup could choose colliding ones. Random seeds prevent that.
    private readonly ulong seedA = BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(8)) | 1;
    private readonly ulong seedB = BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(8)) | 1;

    private readonly BlockList blocks = new(hashLength);

    // From here on the table is memory that returns to the system when a longer table takes its place. It would be the longest array there is, and the
    // collector looks at those rarely.
    private const int NativeLength = 1 << 16;

    // Numbers of blocks plus one, so that 0 is an empty slot; at least half full once it grew, and at most three quarters.
    private int[] slots = new int[1024];
    private NativeBlock? nativeSlots;

    ~BlockSet() => nativeSlots?.Free();

    public int Count => blocks.Count;

    private Span<int> Slots => nativeSlots is null ? slots : MemoryMarshal.Cast<byte, int>(nativeSlots.GetSpan());

    /// <summary>Returns false, and the number it has, if the set has the block already.</summary>
    public bool TryAdd(ReadOnlySpan<byte> hash, int sizeBytes, out int block)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(hash.Length, hashLength);
        ref int slot = ref FindSlot(hash, sizeBytes);
        if (slot != 0)
        {
            block = slot - 1;
            return false;
        }

        block = blocks.Add(hash, sizeBytes);
        slot = block + 1;
        if (blocks.Count * 4L > Slots.Length * 3L)
        {
            Index(Slots.Length * 3L / 2);
        }

        GC.KeepAlive(this);
        return true;
    }

    /// <summary>Returns the number of a block, or -1 if the set does not have it.</summary>
    public int Find(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        int block = hash.Length == hashLength && sizeBytes <= int.MaxValue ? FindSlot(hash, (int)sizeBytes) - 1 : -1;
        GC.KeepAlive(this);
        return block;
    }

    /// <summary>Ends the set: from now on blocks are known by their numbers only.</summary>
    public void DropTable()
    {
        nativeSlots?.Free();
        (nativeSlots, slots) = (null, []);
    }

    public void Save(BinaryWriter writer) => blocks.Save(writer);

    public void Load(BinaryReader reader)
    {
        blocks.Load(reader);
        Index(Math.Max(1024, blocks.Count * 3L / 2));
    }

    public ReadOnlySpan<byte> HashOf(int block) => blocks.HashOf(block);

    public int SizeOf(int block) => blocks.SizeOf(block);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int PlaceOf(ReadOnlySpan<byte> hash, int sizeBytes, int length) => (int)(((ulong)HashCode(hash, sizeBytes) * (uint)length) >> 32);

    private static int Next(int slot, int length) => slot + 1 < length ? slot + 1 : 0;

    /// <summary>Uses all bytes, so that hashes of a hostile backup that begin alike get different places.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private uint HashCode(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        ulong mixed = seedB ^ (uint)sizeBytes;
        int last = hash.Length - MixedBytes;
        for (int offset = 0; offset < last; offset += MixedBytes)
        {
            mixed = Mix(hash[offset..], mixed);
        }

        return (uint)(Mix(hash[last..], mixed) >> 16);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong Mix(ReadOnlySpan<byte> bytes, ulong mixed)
    {
        ulong a = BinaryPrimitives.ReadUInt64LittleEndian(bytes) ^ seedA;
        ulong b = BinaryPrimitives.ReadUInt64LittleEndian(bytes[8..]) ^ mixed;
        ulong high = Math.BigMul(a, b, out ulong low);
        return high ^ low;
    }

    // Compiled ahead it would wait for the machine's multiplication, and so be compiled without optimization: it is called for every block of a plan.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private ref int FindSlot(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        Span<int> all = Slots;
        int slot = PlaceOf(hash, sizeBytes, all.Length);
        while (all[slot] != 0)
        {
            int block = all[slot] - 1;
            if (blocks.SizeOf(block) == sizeBytes && blocks.HashOf(block).SequenceEqual(hash))
            {
                break;
            }

            slot = Next(slot, all.Length);
        }

        return ref all[slot];
    }

    private void Index(long length)
    {
        nativeSlots?.Free();
        nativeSlots = length < NativeLength ? null : new NativeBlock(checked((int)(length * sizeof(int))));
        slots = length < NativeLength ? new int[length] : [];
        Span<int> all = Slots;
        all.Clear();
        for (int block = 0; block < blocks.Count; block++)
        {
            int slot = PlaceOf(blocks.HashOf(block), blocks.SizeOf(block), all.Length);
            while (all[slot] != 0)
            {
                slot = Next(slot, all.Length);
            }

            all[slot] = block + 1;
        }

        GC.KeepAlive(this);
    }
}

/// <summary>Hashes and sizes of blocks in the order of arrival, without an object for each.</summary>
internal sealed class BlockList(int hashLength)
{
    private readonly HashList hashes = new(hashLength);
    private readonly SegmentedList<int> sizes = new();

    public int Count => sizes.Count;

    /// <returns>Its number.</returns>
    public int Add(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        hashes.Add(hash);
        return sizes.Add(sizeBytes);
    }

    public ReadOnlySpan<byte> HashOf(int block) => hashes[block];

    public int SizeOf(int block) => sizes[block];

    public void Save(BinaryWriter writer)
    {
        hashes.Save(writer);
        sizes.Save(writer);
    }

    public void Load(BinaryReader reader)
    {
        hashes.Load(reader);
        sizes.Load(reader);
        if (hashes.Count != sizes.Count)
        {
            throw new InvalidDataException("The hashes and sizes of blocks do not belong together");
        }
    }
}

/// <summary>A set of small integers, one bit each. Not safe for concurrent writes.</summary>
internal sealed class BitSet(int length)
{
    private readonly ulong[] words = new ulong[(length + 63) / 64];

    public int Length { get; } = length;

    public bool this[int index]
    {
        get => (words[index >> 6] >> (index & 63) & 1) != 0;
        set
        {
            ulong bit = 1UL << (index & 63);
            words[index >> 6] = value ? words[index >> 6] | bit : words[index >> 6] & ~bit;
        }
    }

    public static BitSet Of(int length, ulong[] words)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(words.Length, (length + 63L) / 64);
        BitSet set = new(length);
        words.CopyTo(set.words, 0);
        return set;
    }

    public ulong[] ToWords() => [.. words];

    /// <summary>Writes the bits but not the length: the reader must know it.</summary>
    public void Save(BinaryWriter writer) => writer.Write(MemoryMarshal.AsBytes(words.AsSpan()));

    /// <summary>Reads what <see cref="Save"/> wrote for a set of the same length.</summary>
    public void Load(BinaryReader reader) => reader.BaseStream.ReadExactly(MemoryMarshal.AsBytes(words.AsSpan()));

    public int CountSet()
    {
        int count = 0;
        foreach (ulong word in words)
        {
            count += BitOperations.PopCount(word);
        }

        return count;
    }
}
