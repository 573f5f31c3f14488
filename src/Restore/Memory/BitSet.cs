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
