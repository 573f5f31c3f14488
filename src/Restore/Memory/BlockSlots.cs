using System.Numerics;
using System.Runtime.Intrinsics.X86;

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

    // So many slots are on their way to the cache at the same time.
    private const int FilledAtOnce = 16;

    // A backup chooses its hashes, and a hostile backup could choose colliding ones. Random seeds
    // prevent that.
    private readonly ulong seedA = BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(8)) | 1;
    private readonly ulong seedB = BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(8)) | 1;

    // Numbers of blocks plus one, so that 0 is an empty slot; at least half full, and at most three
    // quarters. The bits that no number needs have a part of the hash code, since the name of a
    // block that has a place nearby is in memory that is in no cache.
    private uint[] slots = [];
    private NativeBlock? nativeSlots;
    private int numberBits;

    ~BlockSlots() => nativeSlots?.Free();

    private Span<uint> Slots => nativeSlots is null ? slots : MemoryMarshal.Cast<byte, uint>(nativeSlots.GetSpan());

    private uint NumberMask => (1u << numberBits) - 1;

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
            Put(Slots, number, HashCode(names.HashOf(number), names.SizeOf(number)));
            GC.KeepAlive(this);
        }
    }

    /// <summary>The number of a block, or -1.</summary>
    // Compiled ahead it would wait for the machine's multiplication, and so be compiled without
    // optimization: it is called for every block of a plan.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int Find(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        Span<uint> all = Slots;
        int found = -1;
        uint code = HashCode(hash, sizeBytes);
        uint mask = NumberMask;
        uint mark = code << numberBits;
        for (
            int slot = PlaceOf(code, all.Length);
            (uint)slot < (uint)all.Length && all[slot] != 0;
            slot = Next(slot, all.Length)
        )
        {
            if ((all[slot] & ~mask) != mark)
            {
                continue;
            }

            int number = (int)(all[slot] & mask) - 1;
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

    /// <summary>
    /// Brings the place of a block into the processor's cache, for a look-up that comes soon.
    /// </summary>
    public void Expect(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        Expect(Slots, HashCode(hash, sizeBytes));
        GC.KeepAlive(this);
    }

    /// <summary>Gives the memory back; nothing is found any more.</summary>
    public void Free()
    {
        nativeSlots?.Free();
        (nativeSlots, slots) = (null, []);
    }

    // Scales 32 bits to the length without a division, so the length need not be a power of two.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int PlaceOf(uint code, int length) => (int)(((ulong)code * (uint)length) >> 32);

    private static int Next(int slot, int length) => slot + 1 < length ? slot + 1 : 0;

    private static unsafe void Expect(Span<uint> all, uint code)
    {
        if (Sse.IsSupported && !all.IsEmpty)
        {
            Sse.Prefetch0(Unsafe.AsPointer(ref all[PlaceOf(code, all.Length)]));
        }
    }

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

    private void Put(Span<uint> all, int number, uint code)
    {
        int slot = PlaceOf(code, all.Length);
        while (all[slot] != 0)
        {
            slot = Next(slot, all.Length);
        }

        all[slot] = (code << numberBits) | (uint)(number + 1);
    }

    private void Fill(int count, long length)
    {
        const int Shortest = 16;
        nativeSlots?.Free();
        nativeSlots = length < NativeLength ? null : new NativeBlock(checked((int)(length * sizeof(uint))));
        slots = length < NativeLength ? new uint[Math.Max(Shortest, length)] : [];
        Span<uint> all = Slots;
        all.Clear();
        numberBits = BitOperations.Log2((uint)all.Length) + 1;
        Span<uint> codes = stackalloc uint[FilledAtOnce];
        for (int first = 0; first < count; first += FilledAtOnce)
        {
            Span<uint> some = codes[..Math.Min(FilledAtOnce, count - first)];
            for (int i = 0; i < some.Length; i++)
            {
                some[i] = HashCode(names.HashOf(first + i), names.SizeOf(first + i));
                Expect(all, some[i]);
            }

            for (int i = 0; i < some.Length; i++)
            {
                Put(all, first + i, some[i]);
            }
        }

        GC.KeepAlive(this);
    }
}
