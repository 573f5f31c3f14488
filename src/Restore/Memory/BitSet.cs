using System.Numerics;

namespace Restore.Memory;

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
