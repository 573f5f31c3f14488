using System.Text.Json;

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
        try
        {
            return Read(new Utf8JsonReader(JsonText.WithoutBom(json)));
        }
        catch (JsonException e)
        {
            throw new InvalidDataException("The manifest is not valid JSON", e);
        }
    }

    /// <summary>A manifest of the current version as Duplicati writes it: byte order mark, its order of properties, no white space.</summary>
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

    private static Manifest Read(Utf8JsonReader json)
    {
        int version = 0;
        int blockSizeBytes = 0;
        HashKind? blockHash = null;
        HashKind? fileHash = null;
        bool isUtf8 = true;
        DateTimeOffset? created = null;
        json.Read();
        if (json.TokenType != JsonTokenType.StartObject)
        {
            throw new InvalidDataException("The manifest is not a JSON object");
        }

        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            string? name = JsonText.TryGetString(json, out string text) ? text : null;
            json.Read();
            switch (name)
            {
                case "Version":
                    version = Number(ref json);
                    break;
                case "Blocksize":
                    blockSizeBytes = Number(ref json);
                    break;
                case "BlockHash":
                    blockHash = Hash(ref json);
                    break;
                case "FileHash":
                    fileHash = Hash(ref json);
                    break;
                case "Created":
                    created = JsonText.TryGetString(json, out string time) && Timestamp.TryParse(time, out DateTime utc) ? utc : null;
                    break;
                case "Encoding":
                    isUtf8 = JsonText.TryGetString(json, out string encoding) && encoding == "utf8";
                    break;
            }

            json.Skip();
        }

        json.Read();
        Require(version is 1 or CurrentVersion, "a Version that this program can read: 1 or 2");
        Require(blockSizeBytes >= MinBlockSizeBytes, $"a Blocksize that can be: a whole number from {MinBlockSizeBytes} to {int.MaxValue}");
        Require(blockHash is not null, "a BlockHash that is known: MD5, SHA1, SHA256, SHA384 or SHA512");
        Require(fileHash is not null, "a FileHash that is known: MD5, SHA1, SHA256, SHA384 or SHA512");
        Require(isUtf8, "the Encoding utf8, the only one there is");
        return new Manifest(version, new BlockLayout(blockSizeBytes, blockHash.GetValueOrDefault(), fileHash.GetValueOrDefault())) { Created = created };
    }

    private static void Require(bool isThere, string what)
    {
        if (!isThere)
        {
            throw new InvalidDataException($"The manifest does not have {what}");
        }
    }

    private static int Number(ref Utf8JsonReader json) => json.TokenType == JsonTokenType.Number && json.TryGetInt32(out int number) ? number : 0;

    private static HashKind? Hash(ref Utf8JsonReader json) =>
        JsonText.TryGetString(json, out string name) && HashKinds.TryParse(name, out HashKind kind) ? kind : null;
}

/// <summary>False if the backup was stopped early or its list was made up afterwards. True if the entry does not say (before 2019).</summary>
internal readonly record struct FilesetInfo(bool IsFullBackup)
{
    public static FilesetInfo Parse(ReadOnlySpan<byte> json)
    {
        try
        {
            return Read(new Utf8JsonReader(JsonText.WithoutBom(json)));
        }
        catch (JsonException e)
        {
            throw new InvalidDataException("The fileset entry is not valid JSON", e);
        }
    }

    public byte[] Write() => [.. JsonText.Bom, .. IsFullBackup ? "{\"IsFullBackup\":true}"u8 : "{\"IsFullBackup\":false}"u8];

    private static FilesetInfo Read(Utf8JsonReader json)
    {
        bool isFull = true;
        json.Read();
        if (json.TokenType != JsonTokenType.StartObject)
        {
            throw new InvalidDataException("The fileset entry is not a JSON object");
        }

        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            bool isKnown = json.ValueTextEquals("IsFullBackup"u8);
            json.Read();
            isFull = isKnown ? json.TokenType != JsonTokenType.False : isFull;
            json.Skip();
        }

        json.Read();
        return new FilesetInfo(isFull);
    }
}
