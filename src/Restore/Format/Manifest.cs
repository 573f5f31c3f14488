namespace Restore.Format;

/// <summary>The <c>manifest</c> entry of a volume; version 1 is from before 2016.</summary>
internal readonly partial record struct Manifest(int Version, BlockLayout Layout)
{
    /// <summary>When the volume was made; null if that is not recorded, or is not a time.</summary>
    public DateTimeOffset? Created { get; init; }

    /// <summary>The version that Duplicati writes since 2016, and this library writes.</summary>
    public const int CurrentVersion = 2;
    public const int MinBlockSizeBytes = 1024;

    /// <summary>Unknown properties are ignored; required ones must exist and make sense.</summary>
    public static Manifest Parse(ReadOnlySpan<byte> json)
    {
        using JsonDocument document = JsonText.ParseObject(json, "The manifest");
        return Read(document.RootElement);
    }

    /// <summary>
    /// A manifest of the current version as Duplicati writes it: byte order mark, its order of
    /// properties, no white space.
    /// </summary>
    public static byte[] Write(BlockLayout layout, DateTimeOffset created, string appVersion)
    {
        var json = new JsonOutput();
        json.Raw(JsonText.Bom);
        json.Raw("{\"Version\":2,\"Created\":"u8);
        json.Text(Timestamp.Format(created));
        json.Raw(",\"Encoding\":\"utf8\",\"Blocksize\":"u8);
        json.Number(layout.BlockSizeBytes);
        json.Raw(",\"BlockHash\":"u8);
        json.Text(layout.BlockHash.ManifestName());
        json.Raw(",\"FileHash\":"u8);
        json.Text(layout.FileHash.ManifestName());
        json.Raw(",\"AppVersion\":"u8);
        json.Text(appVersion);
        json.Raw("}"u8);
        return json.ToArray();
    }

    private static Manifest Read(JsonElement json)
    {
        int version = Number(json, "Version");
        int blockSizeBytes = Number(json, "Blocksize");
        HashKind? blockHash = Hash(json, "BlockHash");
        HashKind? fileHash = Hash(json, "FileHash");
        bool isUtf8 = !json.TryGetProperty("Encoding", out _) || JsonText.StringOf(json, "Encoding") == "utf8";
        DateTimeOffset? created = Timestamp.TryParse(JsonText.StringOf(json, "Created"), out DateTime utc) ? utc : null;
        Require(version is 1 or CurrentVersion, "a Version that this program can read: 1 or 2");
        Require(
            blockSizeBytes >= MinBlockSizeBytes,
            $"a Blocksize that can be: a whole number from {MinBlockSizeBytes} to {int.MaxValue}"
        );
        Require(blockHash is not null, "a BlockHash that is known: MD5, SHA1, SHA256, SHA384 or SHA512");
        Require(fileHash is not null, "a FileHash that is known: MD5, SHA1, SHA256, SHA384 or SHA512");
        Require(isUtf8, "the Encoding utf8, the only one there is");
        return new Manifest(
            version,
            new BlockLayout(blockSizeBytes, blockHash.GetValueOrDefault(), fileHash.GetValueOrDefault())
        )
        {
            Created = created,
        };
    }

    private static void Require(bool isThere, string what)
    {
        if (!isThere)
        {
            throw new InvalidDataException($"The manifest does not have {what}");
        }
    }

    private static int Number(JsonElement json, string name) =>
        json.TryGetProperty(name, out JsonElement value)
        && value.ValueKind == JsonValueKind.Number
        && value.TryGetInt32(out int number)
            ? number
            : 0;

    private static HashKind? Hash(JsonElement json, string name) =>
        HashKinds.TryParse(JsonText.StringOf(json, name), out HashKind kind) ? kind : null;
}
