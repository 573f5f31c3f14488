namespace Restore.Format;

/// <summary>
/// Replaces owners of a backup by accounts of this system, in the metadata of an entry. A key is
/// the name or number of a user of a Unix system, the same with a colon before it for a group, or
/// the SID of an access rule of Windows.
/// </summary>
internal sealed class OwnerMap
{
    public const char GroupMark = ':';

    private const string Sid = "SID";
    private const string StartOfSid = "S-1-";

    private readonly Dictionary<string, string> owners;
    private readonly bool hasSids;

    private OwnerMap(IReadOnlyDictionary<string, string> given)
    {
        owners = new(given.Count, StringComparer.Ordinal);
        foreach ((string old, string wanted) in given)
        {
            owners[IsSid(old) ? old.ToUpperInvariant() : old] = wanted;
        }

        hasSids = owners.Keys.Any(IsSid);
    }

    /// <summary>Null without owners to replace.</summary>
    public static OwnerMap? Of(RestoreOptions options) =>
        options.RestorePermissions && options.MapOwners.Count > 0 ? new OwnerMap(options.MapOwners) : null;

    public static bool IsSid(string account) => account.StartsWith(StartOfSid, StringComparison.OrdinalIgnoreCase);

    public EntryMetadata Apply(EntryMetadata metadata)
    {
        if (Find(metadata.OwnerName, metadata.UserId, "") is { } user)
        {
            (string? name, uint? id) = NameOrNumber(user);
            metadata = metadata with { OwnerName = name, UserId = id };
        }

        if (Find(metadata.GroupName, metadata.GroupId, ":") is { } group)
        {
            (string? name, uint? id) = NameOrNumber(group[1..]);
            metadata = metadata with { GroupName = name, GroupId = id };
        }

        return hasSids && metadata.WindowsAccessRules is { } rules
            ? metadata with
            {
                WindowsAccessRules = InRules(rules),
            }
            : metadata;
    }

    /// <summary>A name is more than a number: the number can be another account's here.</summary>
    private string? Find(string? name, uint? id, string mark) =>
        name is not null && owners.TryGetValue(mark + name, out string? byName) ? byName
        : id is { } number
        && owners.TryGetValue(mark + number.ToString(CultureInfo.InvariantCulture), out string? byNumber)
            ? byNumber
        : null;

    private static (string? Name, uint? Id) NameOrNumber(string account) =>
        uint.TryParse(account, NumberStyles.None, CultureInfo.InvariantCulture, out uint id)
            ? (null, id)
            : (account, null);

    /// <summary>Rules that are not sound stay as they are: who applies them says so.</summary>
    private string InRules(string json)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(json);
            if (document.RootElement.ValueKind != JsonValueKind.Array)
            {
                return json;
            }

            ArrayBufferWriter<byte> buffer = new(json.Length);
            using (Utf8JsonWriter writer = new(buffer))
            {
                writer.WriteStartArray();
                foreach (JsonElement rule in document.RootElement.EnumerateArray())
                {
                    Write(rule, writer);
                }

                writer.WriteEndArray();
            }

            return Encoding.UTF8.GetString(buffer.WrittenSpan);
        }
        catch (Exception unsound) when (unsound is JsonException or InvalidOperationException)
        {
            return json;
        }
    }

    private void Write(JsonElement rule, Utf8JsonWriter writer)
    {
        if (rule.ValueKind != JsonValueKind.Object)
        {
            rule.WriteTo(writer);
            return;
        }

        writer.WriteStartObject();
        foreach (JsonProperty property in rule.EnumerateObject())
        {
            if (
                property.NameEquals(Sid)
                && property.Value.ValueKind == JsonValueKind.String
                && owners.TryGetValue(property.Value.GetString()!.ToUpperInvariant(), out string? wanted)
            )
            {
                writer.WriteString(Sid, wanted);
            }
            else
            {
                property.WriteTo(writer);
            }
        }

        writer.WriteEndObject();
    }
}
