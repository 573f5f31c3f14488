using System.Text;
using Restore.Memory;

namespace Restore.Planning.Paths;

/// <summary>Numbers for names within a parent: a hash table over a list of nodes and an arena of UTF-8 names. Number 0 is the root.</summary>
internal sealed class NameTable(bool caseSensitive)
{
    // The longest name that a target accepts: 255 UTF-16 units of three bytes.
    private const int MaxNameBytes = 3 * 255;

    private readonly SegmentedList<Node> nodes = WithRoot();
    private readonly ByteArena names = new();
    private int[] firstOfBucket = new int[64];

    /// <summary>Finds the number of a name.</summary>
    public bool TryFind(int parent, ReadOnlySpan<byte> name, out int number)
    {
        int hash = Hash(parent, name);

        // 0 ends a chain: the root is in none.
        for (number = firstOfBucket[hash & (firstOfBucket.Length - 1)]; number != 0; number = nodes[number].NextInBucket)
        {
            ref Node node = ref nodes[number];
            if (node.Hash == hash && node.Parent == parent && IsSame(NameOf(number), name))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Adds a new name and returns its number, the next one.</summary>
    public int Add(int parent, ReadOnlySpan<byte> name)
    {
        if (nodes.Count == firstOfBucket.Length)
        {
            Grow();
        }

        int hash = Hash(parent, name);
        ref int first = ref firstOfBucket[hash & (firstOfBucket.Length - 1)];
        first = nodes.Add(new Node { Parent = parent, Hash = hash, NextInBucket = first, Name = names.Add(name) });
        return first;
    }

    /// <summary>The name of a number, as it was added.</summary>
    public string GetName(int number) => Encoding.UTF8.GetString(NameOf(number));

    private static SegmentedList<Node> WithRoot()
    {
        SegmentedList<Node> list = new();
        list.Add(default);
        return list;
    }

    private ReadOnlySpan<byte> NameOf(int number) => names.Get(nodes[number].Name);

    private void Grow()
    {
        firstOfBucket = new int[2 * firstOfBucket.Length];
        for (int number = 1; number < nodes.Count; number++)
        {
            ref int first = ref firstOfBucket[nodes[number].Hash & (firstOfBucket.Length - 1)];
            nodes[number].NextInBucket = first;
            first = number;
        }
    }

    /// <summary>The runtime seeds the hash for each process, so a backup cannot choose names that collide.</summary>
    private int Hash(int parent, ReadOnlySpan<byte> name)
    {
        if (!caseSensitive)
        {
            Span<char> characters = stackalloc char[MaxNameBytes];
            int length = Encoding.UTF8.GetChars(name, characters);
            return HashCode.Combine(parent, string.GetHashCode(characters[..length], StringComparison.OrdinalIgnoreCase));
        }

        var hash = default(HashCode);
        hash.Add(parent);
        hash.AddBytes(name);
        return hash.ToHashCode();
    }

    private bool IsSame(ReadOnlySpan<byte> stored, ReadOnlySpan<byte> name)
    {
        if (caseSensitive || stored.SequenceEqual(name))
        {
            return stored.SequenceEqual(name);
        }

        Span<char> left = stackalloc char[MaxNameBytes];
        Span<char> right = stackalloc char[MaxNameBytes];
        left = left[..Encoding.UTF8.GetChars(stored, left)];
        right = right[..Encoding.UTF8.GetChars(name, right)];
        return left.Equals(right, StringComparison.OrdinalIgnoreCase);
    }

    private struct Node
    {
        public int Parent;
        public int Hash;
        public int NextInBucket;
        public long Name;
    }
}
