using System.Text.Json;

namespace Restore.Format;

/// <summary>The <c>manifest</c> entry of a volume: format version and block layout.</summary>
/// <param name="Version">1 (before 2016) or 2.</param>
/// <param name="Layout">Block size and hash algorithms.</param>
internal readonly partial record struct Manifest(int Version, BlockLayout Layout)
{
    /// <summary>When the volume was made; null if that is not recorded, or is not a time.</summary>
    public DateTimeOffset? Created { get; init; }

    /// <summary>The version that Duplicati writes since 2016, and this library writes.</summary>
    public const int CurrentVersion = 2;

    /// <summary>Smallest block size of any backup.</summary>
    public const int MinBlockSizeBytes = 1024;

    /// <summary>Parses a manifest. Unknown properties are ignored; required ones must exist and make sense.</summary>
    /// <exception cref="InvalidDataException">The manifest cannot be used; the message says why.</exception>
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
            string? name = JsonText.TryGetString(ref json, out string text) ? text : null;
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
                    created = JsonText.TryGetString(ref json, out string time) && Timestamp.TryParse(time, out DateTime utc) ? utc : null;
                    break;
                case "Encoding":
                    isUtf8 = JsonText.TryGetString(ref json, out string encoding) && encoding == "utf8";
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
        JsonText.TryGetString(ref json, out string name) && HashKinds.TryParse(name, out HashKind kind) ? kind : null;
}
