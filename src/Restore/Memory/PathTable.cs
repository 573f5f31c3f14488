namespace Restore.Memory;

/// <summary>
/// Names in folders, numbered from 0 in the order of arrival: 16 bytes, the name, and 8 to 16 bytes
/// in the hash table for each. The folder of a name is a number that the caller chooses, usually
/// the number of another name. Look-ups may run concurrently with each other, but not with an
/// addition.
/// </summary>
/// <param name="shared">Where the names are, if others have theirs there too.</param>
internal sealed class PathTable(bool ignoresCase = false, ByteArena? shared = null)
{
    private const int NodeBytes = 16;
    private const int MaxCharsOnStack = 1024;

    private readonly ByteArena names = shared ?? new();
    private readonly SegmentedList<Node> nodes = new();

    // Numbers plus one, so that 0 is an empty slot; the length is a power of two, at most half
    // full. The bits that no number needs are those of the hash code, since the node of a name that
    // has a place nearby is in memory that is in no cache.
    private int[] slots = new int[64];

    public int Count => nodes.Count;

    /// <summary>About how much memory the table takes.</summary>
    public long SizeBytes => names.SizeBytes + ((long)nodes.Count * NodeBytes) + (sizeof(int) * (long)slots.Length);

    public int ParentOf(int number) => nodes[number].Parent;

    public ReadOnlySpan<byte> NameOf(int number) => names.Get(nodes[number].Name);

    public bool TryFind(int parent, ReadOnlySpan<byte> name, out int number)
    {
        number = NumberIn(SlotOf(parent, name, HashOf(parent, name)));
        return number >= 0;
    }

    /// <param name="handle">The name's, if it is where the names are.</param>
    public bool TryAdd(int parent, ReadOnlySpan<byte> name, out int number, long? handle = null)
    {
        int hash = HashOf(parent, name);
        int slot = SlotOf(parent, name, hash);
        number = NumberIn(slot);
        if (number >= 0)
        {
            return false;
        }

        number = nodes.Add(new Node(handle ?? names.Add(name), parent, hash));
        slots[slot] = Marked(number, hash);
        if (nodes.Count * 2L > slots.Length)
        {
            Grow();
        }

        return true;
    }

    /// <summary>
    /// The seed of the hash code is random in each process, so a backup cannot choose names that
    /// collide.
    /// </summary>
    private int HashOf(int parent, ReadOnlySpan<byte> name)
    {
        HashCode hash = default;
        hash.Add(parent);
        if (ignoresCase)
        {
            // Names that differ only in case must get the same code, so it is computed from
            // characters. A text in UTF-8 never has more characters than bytes.
            Span<char> text = name.Length <= MaxCharsOnStack ? stackalloc char[MaxCharsOnStack] : new char[name.Length];
            hash.Add(
                string.GetHashCode(text[..Encoding.UTF8.GetChars(name, text)], StringComparison.OrdinalIgnoreCase)
            );
        }
        else
        {
            hash.AddBytes(name);
        }

        return hash.ToHashCode();
    }

    private int NumberIn(int slot) => (slots[slot] & (slots.Length - 1)) - 1;

    private int Marked(int number, int hash) => (hash & ~(slots.Length - 1)) | (number + 1);

    /// <summary>The place of a name in the table, or the free place where it would be.</summary>
    private int SlotOf(int parent, ReadOnlySpan<byte> name, int hash)
    {
        int mask = slots.Length - 1;
        int slot = hash & mask;
        while (
            slots[slot] != 0
            && (((slots[slot] ^ hash) & ~mask) != 0 || !Is(nodes[(slots[slot] & mask) - 1], parent, name, hash))
        )
        {
            slot = (slot + 1) & mask;
        }

        return slot;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool Is(in Node node, int parent, ReadOnlySpan<byte> name, int hash) =>
        node.Hash == hash
        && node.Parent == parent
        && (names.Get(node.Name).SequenceEqual(name) || (ignoresCase && IsSameButForCase(names.Get(node.Name), name)));

    private static bool IsSameButForCase(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right) =>
        Encoding.UTF8.GetString(left).Equals(Encoding.UTF8.GetString(right), StringComparison.OrdinalIgnoreCase);

    private void Grow()
    {
        slots = new int[checked(slots.Length * 2)];
        int mask = slots.Length - 1;
        for (int number = 0; number < nodes.Count; number++)
        {
            int hash = nodes[number].Hash;
            int slot = hash & mask;
            while (slots[slot] != 0)
            {
                slot = (slot + 1) & mask;
            }

            slots[slot] = Marked(number, hash);
        }
    }

    private readonly record struct Node(long Name, int Parent, int Hash);
}
