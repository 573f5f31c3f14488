namespace Restore.Format;

internal sealed partial record EntryMetadata
{
    /// <summary>The blob as Duplicati writes it: byte order mark, values of the platform, then common values. The same values give the same bytes, so that
    /// equal metadata is stored once.</summary>
    public byte[] Write(JsonOutput? json = null)
    {
        json ??= new JsonOutput();
        json.Clear();
        json.Raw(JsonText.Bom);
        foreach ((string name, byte[] value) in ExtendedAttributes)
        {
            Name(json, [.. MetadataKeys.ExtendedAttribute, .. Encoding.UTF8.GetBytes(name)]);
            json.Base64Text(value);
        }

        string? permissions = UserId is { } user && GroupId is { } group && Mode is { } mode
            ? string.Create(CultureInfo.InvariantCulture, $"{user}-{group}-{mode}")
            : null;
        Pair(json, MetadataKeys.Permissions, permissions);
        Pair(json, MetadataKeys.OwnerName, OwnerName);
        Pair(json, MetadataKeys.GroupName, GroupName);
        Pair(json, MetadataKeys.MacFlags, MacFlags);
        Pair(json, MetadataKeys.MacAcl, MacAcl);
        Pair(json, MetadataKeys.AccessRules, WindowsAccessRules);
        Pair(json, MetadataKeys.AccessRulesProtected, WindowsAccessRulesProtected ? "True" : null);
        Pair(json, MetadataKeys.Attributes, Attributes?.ToString());
        Pair(json, MetadataKeys.LastWriteTime, LastWriteTicks);
        Pair(json, MetadataKeys.CreationTime, CreationTicks);
        Pair(json, MetadataKeys.SymlinkTarget, SymlinkTarget);
        json.Raw(json.Length == JsonText.Bom.Length ? "{}"u8 : "}"u8);
        return json.ToArray();
    }

    private static void Pair(JsonOutput json, ReadOnlySpan<byte> key, string? value)
    {
        if (value is not null)
        {
            Name(json, key);
            json.Text(value);
        }
    }

    private static void Pair(JsonOutput json, ReadOnlySpan<byte> key, long? value)
    {
        if (value is { } number)
        {
            Name(json, key);
            json.NumberText(number);
        }
    }

    private static void Name(JsonOutput json, ReadOnlySpan<byte> key)
    {
        json.Raw(json.Length == JsonText.Bom.Length ? "{"u8 : ","u8);
        json.Text(key);
        json.Raw(":"u8);
    }
}
