using System.Numerics;

namespace Restore.Memory;

/// <summary>Blocks by (hash, size), numbered in the order of arrival: about 45 bytes each with hashes of 32 bytes. Flat arrays; a look-up allocates nothing.
/// Look-ups may run concurrently with each other, but not with an addition.</summary>
internal sealed class BlockSet
{
    private readonly int hashLength;
    private readonly BlockList blocks;
    private readonly BlockSlots<ListedNames> slots;
    private readonly Lock gate = new();
    private volatile bool isWithoutTable;

    public BlockSet(int hashLength)
    {
        this.hashLength = hashLength;
        blocks = new BlockList(hashLength);
        slots = new BlockSlots<ListedNames>(new ListedNames(blocks));
    }

    public int Count => blocks.Count;

    /// <summary>Returns false, and the number it has, if the set has the block already.</summary>
    public bool TryAdd(ReadOnlySpan<byte> hash, int sizeBytes, out int block)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(hash.Length, hashLength);
        RequireTable();
        block = slots.Find(hash, sizeBytes);
        if (block >= 0)
        {
            return false;
        }

        block = blocks.Add(hash, sizeBytes);
        slots.Add(block, blocks.Count);
        return true;
    }

    /// <summary>Returns the number of a block, or -1 if the set does not have it.</summary>
    public int Find(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        if (hash.Length != hashLength || sizeBytes is < 0 or > int.MaxValue)
        {
            return -1;
        }

        RequireTable();
        return slots.Find(hash, (int)sizeBytes);
    }

    /// <summary>Gives the memory of the table back until the next look-up, which makes it again: blocks are known by their numbers meanwhile. Nobody else may
    /// use the set during the call.</summary>
    public void DropTable()
    {
        slots.Free();
        isWithoutTable = true;
    }

    public void Save(BinaryWriter writer) => blocks.Save(writer);

    public void Load(BinaryReader reader)
    {
        blocks.Load(reader);
        isWithoutTable = true;
    }

    public ReadOnlySpan<byte> HashOf(int block) => blocks.HashOf(block);

    public int SizeOf(int block) => blocks.SizeOf(block);

    private void RequireTable()
    {
        if (!isWithoutTable)
        {
            return;
        }

        lock (gate)
        {
            if (isWithoutTable)
            {
                slots.AddAll(blocks.Count);
                isWithoutTable = false;
            }
        }
    }

    private readonly struct ListedNames(BlockList blocks) : IBlockNames
    {
        public ReadOnlySpan<byte> HashOf(int number) => blocks.HashOf(number);

        public int SizeOf(int number) => blocks.SizeOf(number);
    }
}

/// <summary>Hash and length of numbered blocks.</summary>
internal interface IBlockNames
{
    ReadOnlySpan<byte> HashOf(int number);

    int SizeOf(int number);
}

/// <summary>A hash table from (hash, size) to the numbers of blocks whose names somebody else keeps.</summary>
internal sealed class BlockSlots<TNames>(TNames names)
    where TNames : struct, IBlockNames
{
    // One multiplication takes this many bytes; no hash is shorter.
    private const int MixedBytes = 16;

    // From here on the table is memory that returns to the system when a longer table takes its place. It would be the longest array there is, and the
    // collector looks at those rarely.
    private const int NativeLength = 1 << 16;

    // A backup chooses its hashes, and a hostile backup could choose colliding ones. Random seeds prevent that.
    private readonly ulong seedA = BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(8)) | 1;
    private readonly ulong seedB = BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(8)) | 1;

    // Numbers of blocks plus one, so that 0 is an empty slot; at least half full, and at most three quarters.
    private int[] slots = [];
    private NativeBlock? nativeSlots;

    ~BlockSlots() => nativeSlots?.Free();

    private Span<int> Slots => nativeSlots is null ? slots : MemoryMarshal.Cast<byte, int>(nativeSlots.GetSpan());

    /// <summary>Adds all numbers below a count to an empty table, which will not grow.</summary>
    public void AddAll(int count) => Fill(count, count * 3L / 2);

    /// <summary>Adds a number that is not there.</summary>
    /// <param name="count">How many numbers there are with it: all below.</param>
    public void Add(int number, int count)
    {
        if (count * 4L > Slots.Length * 3L)
        {
            Fill(count, count * 2L);
        }
        else
        {
            FindFree(Slots, number) = number + 1;
            GC.KeepAlive(this);
        }
    }

    /// <summary>The number of a block, or -1.</summary>
    // Compiled ahead it would wait for the machine's multiplication, and so be compiled without optimization: it is called for every block of a plan.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int Find(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        Span<int> all = Slots;
        int found = -1;
        for (int slot = PlaceOf(hash, sizeBytes, all.Length); (uint)slot < (uint)all.Length && all[slot] != 0; slot = Next(slot, all.Length))
        {
            int number = all[slot] - 1;
            if (names.SizeOf(number) == sizeBytes && names.HashOf(number).SequenceEqual(hash))
            {
                found = number;
                break;
            }
        }

        GC.KeepAlive(this);
        return found;
    }

    /// <summary>Gives the memory back; nothing is found any more.</summary>
    public void Free()
    {
        nativeSlots?.Free();
        (nativeSlots, slots) = (null, []);
    }

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

    private ref int FindFree(Span<int> all, int number)
    {
        int slot = PlaceOf(names.HashOf(number), names.SizeOf(number), all.Length);
        while (all[slot] != 0)
        {
            slot = Next(slot, all.Length);
        }

        return ref all[slot];
    }

    private void Fill(int count, long length)
    {
        const int Shortest = 16;
        nativeSlots?.Free();
        nativeSlots = length < NativeLength ? null : new NativeBlock(checked((int)(length * sizeof(int))));
        slots = length < NativeLength ? new int[Math.Max(Shortest, length)] : [];
        Span<int> all = Slots;
        all.Clear();
        for (int number = 0; number < count; number++)
        {
            FindFree(all, number) = number + 1;
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
