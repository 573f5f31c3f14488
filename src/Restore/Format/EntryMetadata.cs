namespace Restore.Format;

/// <summary>
/// The metadata of one entry, parsed from its blob (a JSON object of strings). Absent or unusable
/// values are null.
/// </summary>
internal sealed record EntryMetadata
{
    public static EntryMetadata Empty { get; } = new();

    /// <summary>
    /// Last-modified time in UTC ticks (100 ns since year 1), within the range of
    /// <see cref="DateTime"/>.
    /// </summary>
    public long? LastWriteTicks { get; init; }

    /// <summary>
    /// Creation time in UTC ticks; not applied on Linux, where setting it would set the
    /// last-modified time.
    /// </summary>
    public long? CreationTicks { get; init; }

    public FileAttributes? Attributes { get; init; }
    public string? SymlinkTarget { get; init; }

    public uint? UserId { get; init; }

    public uint? GroupId { get; init; }

    /// <summary>Mode bits, 0777 only.</summary>
    public int? Mode { get; init; }

    public string? OwnerName { get; init; }

    public string? GroupName { get; init; }
    public IReadOnlyList<KeyValuePair<string, byte[]>> ExtendedAttributes { get; init; } = [];

    public uint? MacFlags { get; init; }

    public string? MacAcl { get; init; }
    public string? WindowsAccessRules { get; init; }

    public bool WindowsAccessRulesProtected { get; init; }

    /// <summary>Why values of the blob could not be used, for the report.</summary>
    public IReadOnlyList<string> Unusable { get; init; } = [];

    /// <summary>
    /// Parses a metadata blob. The content never causes an exception: for a value that cannot be
    /// used, the property is null and <see cref="Unusable"/> has the reason. A blob that is not a
    /// JSON object has such a reason and no values. The caller limits the length of the blob.
    /// </summary>
    public static EntryMetadata Parse(ReadOnlySpan<byte> blob)
    {
        try
        {
            return Read(new Utf8JsonReader(JsonText.WithoutBom(blob)));
        }
        catch (JsonException)
        {
            return WithoutValues("The metadata is not valid JSON");
        }
    }

    private static EntryMetadata WithoutValues(string reason) => new() { Unusable = [reason] };

    private static EntryMetadata Read(Utf8JsonReader json)
    {
        json.Read();
        if (json.TokenType != JsonTokenType.StartObject)
        {
            return WithoutValues("The metadata is not a JSON object");
        }

        ArrayBufferWriter<byte> name = new();
        ArrayBufferWriter<byte> value = new();
        MetadataValues? values = null;
        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            values ??= new MetadataValues();
            bool isSound = JsonText.TryGetText(json, name, out ReadOnlySpan<byte> key);
            json.Read();
            if (json.TokenType == JsonTokenType.String)
            {
                isSound &= JsonText.TryGetText(json, value, out ReadOnlySpan<byte> text);
                values.Take(key, text, isSound);
            }
            else if (json.TokenType != JsonTokenType.Null)
            {
                values.Refuse(key, "is not text");
                json.Skip();
            }
        }

        // Fails if something follows the object.
        json.Read();
        return values?.ToMetadata() ?? Empty;
    }

    /// <summary>
    /// The blob as Duplicati writes it: byte order mark, values of the platform, then common
    /// values. The same values give the same bytes, so that equal metadata is stored once.
    /// </summary>
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

        string? permissions =
            UserId is { } user && GroupId is { } group && Mode is { } mode
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
