namespace Restore.Format;

/// <summary>
/// A POSIX access list as Linux stores it in an extended attribute: a version of four bytes, then
/// for each of its rows a tag, the rights and an id, all little-endian.
/// </summary>
internal static class AccessList
{
    /// <summary>The attribute with the list that decides about access to the entry.</summary>
    public const string Name = "system.posix_acl_access";

    /// <summary>The attribute of a folder with the list that new entries in it get.</summary>
    public const string DefaultName = "system.posix_acl_default";

    private const int HeaderBytes = 4;
    private const int RowBytes = 8;
    private const uint Version = 2;
    private const int GroupShift = 3;
    private const int GroupBits = 0x38;

    // The tags of the kernel's ABI (linux/posix_acl_xattr.h).
    private const int OwnerTag = 0x01;
    private const int UserTag = 0x02;
    private const int OwningGroupTag = 0x04;
    private const int GroupTag = 0x08;
    private const int MaskTag = 0x10;
    private const int OtherTag = 0x20;

    /// <summary>
    /// Returns the mode for a place that does not get the access list. Beside a list, the group
    /// bits of a mode are the mask: the most that anyone in the list may do. Without the list they
    /// would grant the mask to the group.
    /// </summary>
    public static int? ModeWithout(EntryMetadata metadata) => ModeWithout(metadata.Mode, metadata.ExtendedAttributes);

    /// <inheritdoc cref="ModeWithout(EntryMetadata)"/>
    public static int? ModeWithout(int? mode, IReadOnlyList<KeyValuePair<string, byte[]>> attributes)
    {
        foreach ((string name, byte[] list) in attributes)
        {
            if (name == Name && mode is { } bits && RightsOfGroup(list) is { } rights)
            {
                // The group keeps only rights that both its row of the list and the mask grant.
                return bits & (~GroupBits | (rights << GroupShift));
            }
        }

        return mode;
    }

    /// <summary>
    /// Returns a list in the text form of POSIX.1e, a row on each line, with numbers in place of
    /// names: the numbers of the backup mean the same on every machine, the names of this machine
    /// might not.
    /// </summary>
    /// <returns>The text; null if the bytes are not a list that this version of the format
    /// defines.</returns>
    public static string? ToText(ReadOnlySpan<byte> list)
    {
        if (
            list.Length < HeaderBytes + RowBytes
            || (list.Length - HeaderBytes) % RowBytes != 0
            || BinaryPrimitives.ReadUInt32LittleEndian(list) != Version
        )
        {
            return null;
        }

        StringBuilder text = new();
        for (int at = HeaderBytes; at < list.Length; at += RowBytes)
        {
            int tag = BinaryPrimitives.ReadUInt16LittleEndian(list[at..]);
            int rights = BinaryPrimitives.ReadUInt16LittleEndian(list[(at + 2)..]);
            uint id = BinaryPrimitives.ReadUInt32LittleEndian(list[(at + 4)..]);
            string? subject = tag switch
            {
                OwnerTag => "user:",
                UserTag => string.Create(CultureInfo.InvariantCulture, $"user:{id}"),
                OwningGroupTag => "group:",
                GroupTag => string.Create(CultureInfo.InvariantCulture, $"group:{id}"),
                MaskTag => "mask:",
                OtherTag => "other:",
                _ => null,
            };
            if (subject is null || rights > 7)
            {
                return null;
            }

            text.Append(subject)
                .Append(':')
                .Append((rights & 4) != 0 ? 'r' : '-')
                .Append((rights & 2) != 0 ? 'w' : '-')
                .Append((rights & 1) != 0 ? 'x' : '-')
                .Append('\n');
        }

        return text.ToString();
    }

    private static int? RightsOfGroup(ReadOnlySpan<byte> list)
    {
        for (int at = HeaderBytes; at + RowBytes <= list.Length; at += RowBytes)
        {
            if (BinaryPrimitives.ReadUInt16LittleEndian(list[at..]) == OwningGroupTag)
            {
                return BinaryPrimitives.ReadUInt16LittleEndian(list[(at + 2)..]) & 7;
            }
        }

        return null;
    }
}
