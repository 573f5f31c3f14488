using System.Runtime.InteropServices;

namespace Restore.Mount.Fuse;

/// <summary>An entry in the list of a folder; its name follows (<c>fuse_dirent</c>).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FuseFolderEntry
{
    public const int HeadBytes = 24;

    public ulong Node;

    /// <summary>Where the list continues after this entry.</summary>
    public long Next;

    public int NameBytes;

    /// <summary>The type as in a mode, without the bits of the mode: 4 is a folder.</summary>
    public uint Type;

    /// <summary>Writes the entry and its name.</summary>
    /// <returns>How many bytes they take; 0 if there is no room for them.</returns>
    public readonly int Write(Span<byte> destination, ReadOnlySpan<byte> name)
    {
        // Each entry begins at a multiple of 8 bytes.
        var length = (HeadBytes + name.Length + 7) / 8 * 8;
        if (length > destination.Length)
        {
            return 0;
        }

        destination[..length].Clear();
        MemoryMarshal.Write(destination, this);
        name.CopyTo(destination[HeadBytes..]);
        return length;
    }
}
