using System.Text.Json;

namespace Restore.Format;

/// <summary>Parsing of the blob.</summary>
internal sealed partial record EntryMetadata
{
    /// <summary>
    /// Parses a metadata blob. Never throws for what is in it: a value that cannot be used is null and has a sentence in <see cref="Unusable"/>;
    /// a blob that is no JSON object gives nothing but such a sentence. The caller limits the length of the blob.
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
            return WithoutValues("The metadata is no JSON object");
        }

        using var name = new PooledBytes();
        using var value = new PooledBytes();
        MetadataValues? values = null;
        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            values ??= new MetadataValues();
            bool isSound = TryText(ref json, name, out ReadOnlySpan<byte> key);
            json.Read();
            if (json.TokenType == JsonTokenType.String)
            {
                isSound &= TryText(ref json, value, out ReadOnlySpan<byte> text);
                values.Take(key, text, isSound);
            }
            else if (json.TokenType != JsonTokenType.Null)
            {
                values.Refuse(key, "is no text");
                json.Skip();
            }
        }

        json.Read();
        return values?.ToMetadata() ?? Empty;
    }

    private static bool TryText(ref Utf8JsonReader json, PooledBytes scratch, out ReadOnlySpan<byte> text)
    {
        text = json.ValueSpan;
        if (!json.ValueIsEscaped)
        {
            return System.Text.Unicode.Utf8.IsValid(text);
        }

        scratch.Clear();
        bool isSound = JsonText.TryCopy(text, isEscaped: true, scratch.Room(text.Length), out int written);
        scratch.Advance(written);
        text = scratch.Span;
        return isSound;
    }
}
