using System.Numerics;
using System.Runtime.InteropServices;

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

    /// <summary>Makes a set of its words, as <see cref="ToWords"/> gives them.</summary>
    /// <exception cref="ArgumentException">There are more or fewer words than the length takes.</exception>
    public static BitSet Of(int length, ulong[] words)
    {
        BitSet set = new(length);
        ArgumentOutOfRangeException.ThrowIfNotEqual(words.Length, set.words.Length);
        words.CopyTo(set.words, 0);
        return set;
    }

    public ulong[] ToWords() => [.. words];

    /// <summary>Writes the bits; the length is known to who reads them.</summary>
    public void Save(BinaryWriter writer) => writer.Write(MemoryMarshal.AsBytes(words.AsSpan()));

    /// <summary>Reads what <see cref="Save"/> of a set of the same length wrote.</summary>
    public void Load(BinaryReader reader) => reader.BaseStream.ReadExactly(MemoryMarshal.AsBytes(words.AsSpan()));

    /// <summary>How many are in the set.</summary>
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
