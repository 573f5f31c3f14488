using System.Buffers.Text;

namespace Restore.Format;

/// <summary>
/// Collects and checks the values of one metadata blob. For a value that cannot be used, it records
/// the reason.
/// </summary>
internal sealed class MetadataValues
{
    /// <summary>Limit of attribute names; no file system keeps as many for one file.</summary>
    public const int MaxExtendedAttributes = 1000;

    /// <summary>
    /// Limit of the bytes of all values together: Linux allows 64 KiB each, and resource forks of
    /// macOS have a few MiB.
    /// </summary>
    public const int MaxExtendedAttributeBytes = 16 * 1024 * 1024;

    // The longest name that Linux allows (macOS: 127).
    private const int MaxExtendedAttributeNameBytes = 255;
    private const int MaxSentences = 10;
    private const int MaxShownBytes = 60;

    private List<string>? unusable;
    private List<KeyValuePair<string, byte[]>>? extendedAttributes;
    private int extendedAttributeBytes;
    private long? lastWriteTicks;
    private long? creationTicks;
    private FileAttributes? attributes;
    private string? symlinkTarget;
    private uint? userId;
    private uint? groupId;
    private int? mode;
    private string? ownerName;
    private string? groupName;
    private uint? macFlags;
    private string? macAcl;
    private string? accessRules;
    private bool accessRulesProtected;

    /// <summary>
    /// Adds a value; unknown keys are ignored. If a key stands twice, the last value counts.
    /// </summary>
    public void Take(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, bool isSound)
    {
        if (!isSound)
        {
            Refuse(key, "is not Unicode text");
        }
        else if (key.StartsWith("Core"u8))
        {
            TakeCore(key, value);
        }
        else if (key.StartsWith(MetadataKeys.ExtendedAttribute))
        {
            TakeExtendedAttribute(key, key[MetadataKeys.ExtendedAttribute.Length..], value);
        }
        else
        {
            TakePlatform(key, value);
        }
    }

    public void Refuse(ReadOnlySpan<byte> key, string why)
    {
        unusable ??= [];
        if (unusable.Count < MaxSentences)
        {
            unusable.Add($"The metadata value of {Show(key)} {why}");
        }
    }

    public EntryMetadata ToMetadata() =>
        new()
        {
            LastWriteTicks = lastWriteTicks,
            CreationTicks = creationTicks,
            Attributes = attributes,
            SymlinkTarget = symlinkTarget,
            UserId = userId,
            GroupId = groupId,
            Mode = mode,
            OwnerName = ownerName,
            GroupName = groupName,
            ExtendedAttributes = extendedAttributes ?? EntryMetadata.Empty.ExtendedAttributes,
            MacFlags = macFlags,
            MacAcl = macAcl,
            WindowsAccessRules = accessRules,
            WindowsAccessRulesProtected = accessRulesProtected,
            Unusable = unusable ?? EntryMetadata.Empty.Unusable,
        };

    private void TakeCore(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        if (key.SequenceEqual(MetadataKeys.LastWriteTime))
        {
            lastWriteTicks = Ticks(key, value);
        }
        else if (key.SequenceEqual(MetadataKeys.CreationTime))
        {
            creationTicks = Ticks(key, value);
        }
        else if (key.SequenceEqual(MetadataKeys.Attributes))
        {
            attributes = Attributes(key, value);
        }
        else if (key.SequenceEqual(MetadataKeys.SymlinkTarget))
        {
            symlinkTarget = Target(key, value);
        }
    }

    private void TakePlatform(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        if (key.SequenceEqual(MetadataKeys.Permissions))
        {
            TakePermissions(key, value);
        }
        else if (key.SequenceEqual(MetadataKeys.OwnerName))
        {
            ownerName = Encoding.UTF8.GetString(value);
        }
        else if (key.SequenceEqual(MetadataKeys.GroupName))
        {
            groupName = Encoding.UTF8.GetString(value);
        }
        else if (key.SequenceEqual(MetadataKeys.MacFlags))
        {
            macFlags = Number(value, uint.MaxValue);
            RefuseUnless(macFlags is not null, key, value, "a number of 32 bits");
        }
        else if (key.SequenceEqual(MetadataKeys.MacAcl))
        {
            macAcl = Encoding.UTF8.GetString(value);
        }
        else if (key.SequenceEqual(MetadataKeys.AccessRules))
        {
            accessRules = Encoding.UTF8.GetString(value);
        }
        else if (key.SequenceEqual(MetadataKeys.AccessRulesProtected))
        {
            accessRulesProtected = Ascii.EqualsIgnoreCase(value, "True"u8);
        }
    }

    private long? Ticks(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        bool isTime =
            Utf8Parser.TryParse(value, out long ticks, out int used)
            && used == value.Length
            && ticks >= 0
            && ticks <= DateTime.MaxValue.Ticks;
        RefuseUnless(isTime, key, value, "a time between the years 1 and 9999");
        return isTime ? ticks : null;
    }

    // Windows has attributes that .NET has no names for. They are numbers, and the target ignores
    // those that it does not know.
    private FileAttributes? Attributes(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        Span<char> text = stackalloc char[256];
        bool isKnown =
            Ascii.ToUtf16(value[..Math.Min(value.Length, text.Length)], text, out int length)
            == System.Buffers.OperationStatus.Done;
        FileAttributes parsed = default;

        // TryParse also takes any number, with a sign.
        isKnown =
            isKnown
            && length == value.Length
            && Enum.TryParse(text[..length], ignoreCase: true, out parsed)
            && (int)parsed >= 0;
        RefuseUnless(isKnown, key, value, "a set of file attributes");
        return isKnown ? parsed : null;
    }

    private string? Target(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        // A path of the system ends at its first zero byte, so the link would lead elsewhere.
        bool isTarget = value.Length > 0 && !value.Contains((byte)0);
        RefuseUnless(isTarget, key, value, "a link target");
        return isTarget ? Encoding.UTF8.GetString(value) : null;
    }

    private void TakePermissions(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        int first = value.IndexOf((byte)'-');
        int second = first < 0 ? -1 : value[(first + 1)..].IndexOf((byte)'-') + first + 1;
        if (second <= first)
        {
            Refuse(key, $"is \"{Show(value)}\", which is not user, group and permissions");
            return;
        }

        // The system reads the largest id as "do not change", so no user can have it.
        userId = Number(value[..first], uint.MaxValue - 1);
        groupId = Number(value[(first + 1)..second], uint.MaxValue - 1);
        uint? permissions = Number(value[(second + 1)..], 0xFFF);
        mode = (int?)(permissions & 0x1FF);
        if (userId is null || groupId is null || permissions is null)
        {
            string?[] parts =
            [
                userId is null ? "user" : null,
                groupId is null ? "group" : null,
                permissions is null ? "permissions" : null,
            ];
            Refuse(key, $"is \"{Show(value)}\", whose {string.Join(" and ", parts.OfType<string>())} cannot be used");
        }

        if (permissions > 0x1FF)
        {
            Refuse(
                key,
                $"is \"{Show(value)}\", whose setuid, setgid and sticky bits are left out: a sound backup has none"
            );
        }
    }

    private void TakeExtendedAttribute(ReadOnlySpan<byte> key, ReadOnlySpan<byte> name, ReadOnlySpan<byte> value)
    {
        if (name.IsEmpty || name.Length > MaxExtendedAttributeNameBytes || name.Contains((byte)0))
        {
            Refuse(key, "has a name that no system takes");
            return;
        }

        // The limit is checked by the encoded length, before memory for the value is allocated.
        int mostBytes = Base64.GetMaxDecodedFromUtf8Length(value.Length);
        if (
            extendedAttributes?.Count >= MaxExtendedAttributes
            || mostBytes > MaxExtendedAttributeBytes - extendedAttributeBytes
        )
        {
            Refuse(key, "is left out: the entry has more extended attributes than this program accepts");
            return;
        }

        byte[] decoded = new byte[mostBytes];
        if (Base64.DecodeFromUtf8(value, decoded, out _, out int length) != System.Buffers.OperationStatus.Done)
        {
            Refuse(key, "is not base64");
            return;
        }

        extendedAttributeBytes += length;
        extendedAttributes ??= [];
        extendedAttributes.Add(new(Encoding.UTF8.GetString(name), decoded.AsSpan(0, length).ToArray()));
    }

    private static uint? Number(ReadOnlySpan<byte> digits, uint most) =>
        Utf8Parser.TryParse(digits, out uint number, out int used) && used == digits.Length && number <= most
            ? number
            : null;

    private void RefuseUnless(bool isGood, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, string expected)
    {
        if (!isGood)
        {
            Refuse(key, $"is \"{Show(value)}\", which is not {expected}");
        }
    }

    // Control characters would let a backup write to the user's terminal.
    private static string Show(ReadOnlySpan<byte> text)
    {
        string shown = Encoding.UTF8.GetString(text[..Math.Min(text.Length, MaxShownBytes)]);
        return string.Concat(shown.Select(c => char.IsControl(c) ? '?' : c)) + (text.Length > MaxShownBytes ? "…" : "");
    }
}
