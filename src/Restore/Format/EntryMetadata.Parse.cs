using System.Text.Json;

namespace Restore.Format;

internal sealed partial record EntryMetadata
{
    /// <summary>Parses a metadata blob. The content never causes an exception: for a value that cannot be used, the property is null and <see cref="Unusable"/>
    /// has the reason. A blob that is not a JSON object has such a reason and no values. The caller limits the length of the blob.</summary>
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

        json.Read();
        return values?.ToMetadata() ?? Empty;
    }
}
