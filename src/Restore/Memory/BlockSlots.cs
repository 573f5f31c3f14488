namespace Restore.Memory;

/// <summary>
/// A hash table from (hash, size) to the numbers of blocks. It does not store the names (hash and
/// size) of the blocks.
/// </summary>
internal sealed class BlockSlots<TNames>(TNames names)
    where TNames : struct, IBlockNames
{
    // One multiplication takes this many bytes; no hash is shorter.
    private const int MixedBytes = 16;

    // From here on the table is memory that returns to the system when a longer table takes its
    // place. As an array it would be the longest of all, and the collector rarely frees such
    // arrays.
    private const int NativeLength = 1 << 16;

    // A backup chooses its hashes, and a hostile backup could choose colliding ones. Random seeds
    // prevent that.
    private readonly ulong seedA = BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(8)) | 1;
    private readonly ulong seedB = BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(8)) | 1;

    // Numbers of blocks plus one, so that 0 is an empty slot; at least half full, and at most three
    // quarters.
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
    // Compiled ahead it would wait for the machine's multiplication, and so be compiled without
    // optimization: it is called for every block of a plan.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int Find(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        Span<int> all = Slots;
        int found = -1;
        for (
            int slot = PlaceOf(hash, sizeBytes, all.Length);
            (uint)slot < (uint)all.Length && all[slot] != 0;
            slot = Next(slot, all.Length)
        )
        {
            int number = all[slot] - 1;
            if (names.SizeOf(number) == sizeBytes && names.HashOf(number).SequenceEqual(hash))
            {
                found = number;
                break;
            }
        }

        // The finalizer frees the table that the span points to. It must not run before the loop
        // has ended.
        GC.KeepAlive(this);
        return found;
    }

    /// <summary>Gives the memory back; nothing is found any more.</summary>
    public void Free()
    {
        nativeSlots?.Free();
        (nativeSlots, slots) = (null, []);
    }

    // Scales 32 bits to the length without a division, so the length need not be a power of two.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int PlaceOf(ReadOnlySpan<byte> hash, int sizeBytes, int length) =>
        (int)(((ulong)HashCode(hash, sizeBytes) * (uint)length) >> 32);

    private static int Next(int slot, int length) => slot + 1 < length ? slot + 1 : 0;

    /// <summary>
    /// Uses all bytes, so that hashes of a hostile backup that begin alike get different places.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private uint HashCode(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        ulong mixed = seedB ^ (uint)sizeBytes;
        int last = hash.Length - MixedBytes;
        for (int offset = 0; offset < last; offset += MixedBytes)
        {
            mixed = Mix(hash[offset..], mixed);
        }

        // The last bytes may overlap the ones before: SHA-1 has 20.
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
