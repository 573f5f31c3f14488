using System.Text.Json;

namespace Restore.Format;

/// <summary>The <c>fileset</c> entry of a file list volume.</summary>
/// <param name="IsFullBackup">False if the backup was stopped early or its list was made up afterwards. True if the entry does not say (before 2019).</param>
internal readonly record struct FilesetInfo(bool IsFullBackup)
{
    /// <summary>Parses the entry.</summary>
    /// <exception cref="InvalidDataException">The entry is not a JSON object.</exception>
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

    /// <summary>The entry as Duplicati writes it.</summary>
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
