using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using Restore.Format;
using Restore.Memory;

namespace Restore.Catalog;

/// <summary>
/// The blocks that a version refers to, by (hash, size), each with a number and the volume it is in. Flat arrays; a look-up allocates nothing.
/// Look-ups may run side by side with each other, not with an addition.
/// </summary>
internal sealed class BlockTable
{
    /// <summary>The volume of a block that has not been located.</summary>
    public const int NoVolume = -1;

    /// <summary>More copies of one block than this are not remembered: a hostile index could name millions.</summary>
    private const int MaxOtherCopies = 8;

    private readonly int hashLength;

    // Backups choose their hashes, and a hostile one could choose them to collide: the seeds make that a guess.
    private readonly ulong seedA = BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(8)) | 1;
    private readonly ulong seedB = BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(8)) | 1;

    private readonly HashList hashes;
    private readonly SegmentedList<Row> rows = new();

    // The further copies of a block, in the order in which they are to be tried.
    private readonly Dictionary<int, List<Copy>> otherCopies = [];
    private int[] slots = new int[1024];

    public BlockTable(HashKind hash)
    {
        Hash = hash;
        hashLength = hash.LengthBytes();
        hashes = new HashList(hashLength);
    }

    public HashKind Hash { get; }

    public int Count => rows.Count;

    /// <summary>The number of a block, new or known.</summary>
    public int GetOrAdd(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        int slot = FindSlot(hash, sizeBytes);
        if (slots[slot] != 0)
        {
            return slots[slot] - 1;
        }

        int block = rows.Add(new Row(sizeBytes, NoVolume, 0));
        hashes.Add(hash);
        slots[slot] = block + 1;
        if (rows.Count * 4L > slots.Length * 3L)
        {
            Grow();
        }

        return block;
    }

    /// <summary>The number of a block, or -1.</summary>
    public int Find(ReadOnlySpan<byte> hash, long sizeBytes) =>
        hash.Length == hashLength && sizeBytes <= int.MaxValue ? slots[FindSlot(hash, (int)sizeBytes)] - 1 : -1;

    public ReadOnlySpan<byte> HashOf(int block) => hashes[block];

    public int SizeOf(int block) => rows[block].SizeBytes;

    /// <summary>The volume that a block is to be taken from, or <see cref="NoVolume"/>.</summary>
    public int VolumeOf(int block) => rows[block].Volume;

    /// <summary>Notes that a volume has a block. Of several copies the one of the lowest order, then volume, is taken first, whoever is told first.</summary>
    /// <param name="block">Which block.</param>
    /// <param name="volume">The volume.</param>
    /// <param name="order">Who says so, as a <see cref="CopyOrder"/>.</param>
    public void AddVolume(int block, int volume, int order)
    {
        ref Row row = ref rows[block];
        Copy told = new(order, volume);
        if (row.Volume == NoVolume)
        {
            (row.Volume, row.Order) = (volume, order);
        }
        else if (row.Volume == volume)
        {
            row.Order = Math.Min(row.Order, order);
        }
        else if (told.CompareTo(row.Copy) < 0)
        {
            Copy later = row.Copy;
            (row.Volume, row.Order) = (volume, order);
            otherCopies.GetValueOrDefault(block)?.RemoveAll(copy => copy.Volume == volume);
            AddOther(block, later);
        }
        else
        {
            AddOther(block, told);
        }
    }

    /// <summary>Gives up the volume a block was to be taken from and goes over to the next one, if there is one.</summary>
    /// <returns>Whether there is another volume to try.</returns>
    public bool UseOtherVolume(int block)
    {
        ref Row row = ref rows[block];
        row.Volume = NoVolume;
        if (otherCopies.TryGetValue(block, out List<Copy>? others) && others.Count > 0)
        {
            (row.Order, row.Volume) = others[0];
            others.RemoveAt(0);
        }

        return row.Volume != NoVolume;
    }

    private void AddOther(int block, Copy told)
    {
        List<Copy> others = otherCopies.TryGetValue(block, out List<Copy>? known) ? known : otherCopies[block] = [];
        int same = others.FindIndex(copy => copy.Volume == told.Volume);
        if (same >= 0)
        {
            told = others[same].CompareTo(told) < 0 ? others[same] : told;
            others.RemoveAt(same);
        }

        others.Insert(~others.BinarySearch(told), told);
        if (others.Count > MaxOtherCopies)
        {
            others.RemoveAt(MaxOtherCopies);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private uint HashCode(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        ulong a = BinaryPrimitives.ReadUInt64LittleEndian(hash) ^ seedA;
        ulong b = BinaryPrimitives.ReadUInt64LittleEndian(hash[8..]) ^ seedB ^ (uint)sizeBytes;
        ulong high = Math.BigMul(a, b, out ulong low);
        return (uint)((high ^ low) >> 16);
    }

    private int FindSlot(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        int mask = slots.Length - 1;
        int slot = (int)(HashCode(hash, sizeBytes) & (uint)mask);
        while (slots[slot] != 0)
        {
            int block = slots[slot] - 1;
            if (rows[block].SizeBytes == sizeBytes && hashes[block].SequenceEqual(hash))
            {
                break;
            }

            slot = (slot + 1) & mask;
        }

        return slot;
    }

    private void Grow()
    {
        slots = new int[slots.Length * 2];
        int mask = slots.Length - 1;
        for (int block = 0; block < rows.Count; block++)
        {
            int slot = (int)(HashCode(HashOf(block), rows[block].SizeBytes) & (uint)mask);
            while (slots[slot] != 0)
            {
                slot = (slot + 1) & mask;
            }

            slots[slot] = block + 1;
        }
    }

    private record struct Row(int SizeBytes, int Volume, int Order)
    {
        public readonly Copy Copy => new(Order, Volume);
    }

    /// <summary>A volume that is said to have a block; compared by when it is its turn.</summary>
    private readonly record struct Copy(int Order, int Volume) : IComparable<Copy>
    {
        public int CompareTo(Copy other) => (Order, Volume).CompareTo((other.Order, other.Volume));
    }
}
