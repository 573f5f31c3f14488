namespace Restore.Mount;

/// <summary>Writes the entries of a folder in the form of the kernel, as many as fit.</summary>
internal sealed class FolderWriter(Memory<byte> destination)
{
    public int Length { get; private set; }

    /// <summary>Adds an entry.</summary>
    /// <param name="node">Its number.</param>
    /// <param name="type">Its type, as in a mode.</param>
    /// <param name="name">Its name in UTF-8.</param>
    /// <param name="next">The position of the entry after it.</param>
    /// <returns>False if there is no room left.</returns>
    public bool TryAdd(ulong node, uint type, ReadOnlySpan<byte> name, long next)
    {
        var entry = new FuseFolderEntry
        {
            Node = node,
            Next = next,
            NameBytes = name.Length,
            Type = type >> 12,
        };
        // The kernel asks again from the position of the last entry that fitted.
        var length = entry.Write(destination.Span[Length..], name);
        Length += length;
        return length > 0;
    }
}
