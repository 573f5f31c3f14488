using System.Buffers.Binary;

namespace Restore.Cli.Mount;

/// <summary>Writes the entries of a folder in the form of the kernel, as many as fit.</summary>
internal sealed class FolderWriter(Memory<byte> destination)
{
    private const int HeadBytes = 24;

    public int Length { get; private set; }

    /// <summary>Adds an entry.</summary>
    /// <param name="node">Its number.</param>
    /// <param name="type">Its type, as in a mode.</param>
    /// <param name="name">Its name in UTF-8.</param>
    /// <param name="next">The position of the entry after it.</param>
    /// <returns>False if there is no room left.</returns>
    public bool TryAdd(ulong node, uint type, ReadOnlySpan<byte> name, long next)
    {
        var length = (HeadBytes + name.Length + 7) / 8 * 8;
        if (length > destination.Length - Length)
        {
            return false;
        }

        var entry = destination.Span.Slice(Length, length);
        entry.Clear();
        BinaryPrimitives.WriteUInt64LittleEndian(entry, node);
        BinaryPrimitives.WriteInt64LittleEndian(entry[8..], next);
        BinaryPrimitives.WriteInt32LittleEndian(entry[16..], name.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(entry[20..], type >> 12);
        name.CopyTo(entry[HeadBytes..]);
        Length += length;
        return true;
    }
}
