using System.Buffers.Binary;

namespace Restore.Ends.Unix;

/// <summary>The access list of an entry, as an extended attribute of Linux: a version, then a kind, rights and an id for each of its entries.</summary>
internal static class AccessList
{
    public const string Name = "system.posix_acl_access";

    private const int HeaderBytes = 4;
    private const int EntryBytes = 8;
    private const int OwningGroup = 4;
    private const int GroupShift = 3;
    private const int GroupBits = 0x38;

    /// <summary>
    /// The mode for where the access list is not set. Beside a list, the bits of the group are the most that anyone in the list may do; without it they would
    /// give that to the group.
    /// </summary>
    public static int? ModeWithout(EntryMetadata metadata)
    {
        foreach ((string name, byte[] list) in metadata.ExtendedAttributes)
        {
            if (name == Name && metadata.Mode is { } mode && RightsOfGroup(list) is { } rights)
            {
                return mode & (~GroupBits | (rights << GroupShift));
            }
        }

        return metadata.Mode;
    }

    private static int? RightsOfGroup(ReadOnlySpan<byte> list)
    {
        for (int at = HeaderBytes; at + EntryBytes <= list.Length; at += EntryBytes)
        {
            if (BinaryPrimitives.ReadUInt16LittleEndian(list[at..]) == OwningGroup)
            {
                return BinaryPrimitives.ReadUInt16LittleEndian(list[(at + 2)..]) & 7;
            }
        }

        return null;
    }
}
