using System.Buffers.Text;
using System.Diagnostics;
using System.Text.Unicode;

namespace Restore.Format;

/// <summary>
/// Strings in JSON: the byte order mark, and unescaping without an allocation or an exception.
/// </summary>
internal static class JsonText
{
    /// <summary>
    /// The UTF-8 byte order mark. Duplicati writes it before all JSON, except in index volumes.
    /// </summary>
    public static ReadOnlySpan<byte> Bom => [0xEF, 0xBB, 0xBF];

    private static ReadOnlySpan<byte> Replacement => [0xEF, 0xBF, 0xBD];

    public static ReadOnlySpan<byte> WithoutBom(ReadOnlySpan<byte> json) =>
        json.StartsWith(Bom) ? json[Bom.Length..] : json;

    /// <summary>
    /// The current string or property name as unescaped UTF-8, in the memory of the reader or in
    /// <paramref name="scratch"/>. False if the token is neither, or is not Unicode: invalid UTF-8,
    /// or half a surrogate pair, which becomes U+FFFD.
    /// </summary>
    public static bool TryGetText(
        scoped in Utf8JsonReader json,
        ArrayBufferWriter<byte> scratch,
        out ReadOnlySpan<byte> text
    )
    {
        text = default;
        if (json.TokenType is not (JsonTokenType.String or JsonTokenType.PropertyName))
        {
            return false;
        }

        text = json.ValueSpan;
        bool isSound = Utf8.IsValid(text);
        if (json.ValueIsEscaped)
        {
            scratch.ResetWrittenCount();

            // No escape is shorter than what it stands for, so the raw length is enough.
            isSound &= Unescape(text, scratch.GetSpan(text.Length), out int written);
            scratch.Advance(written);
            text = scratch.WrittenSpan;
        }

        return isSound;
    }

    /// <summary>Parses a small JSON object; nothing may follow it.</summary>
    /// <exception cref="InvalidDataException">The text is not a JSON object.</exception>
    public static JsonDocument ParseObject(ReadOnlySpan<byte> json, string what)
    {
        JsonDocument document;
        try
        {
            Utf8JsonReader reader = new(WithoutBom(json));
            document = JsonDocument.ParseValue(ref reader);
            reader.Read();
        }
        catch (JsonException e)
        {
            throw new InvalidDataException($"{what} is not valid JSON", e);
        }

        return document.RootElement.ValueKind == JsonValueKind.Object
            ? document
            : throw new InvalidDataException($"{what} is not a JSON object");
    }

    /// <summary>A property of an object; null if it is missing, or is not Unicode text.</summary>
    public static string? StringOf(JsonElement json, string name)
    {
        try
        {
            return json.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.String
                ? value.GetString()
                : null;
        }
        catch (InvalidOperationException)
        {
            return null;
        }
    }

    // The tokenizer has checked every escape: a known letter follows each backslash, and four hex
    // digits follow \u.
    private static bool Unescape(ReadOnlySpan<byte> raw, Span<byte> destination, out int written)
    {
        bool isSound = true;
        written = 0;
        while (raw.Length > 0)
        {
            int plain = raw.IndexOf((byte)'\\');
            plain = plain < 0 ? raw.Length : plain;
            raw[..plain].CopyTo(destination[written..]);
            written += plain;
            raw = raw[plain..];
            if (raw.Length == 0)
            {
                break;
            }

            if (raw[1] == 'u')
            {
                isSound &= UnescapeUnicode(ref raw, destination, ref written);
            }
            else
            {
                destination[written++] = Unescape(raw[1]);
                raw = raw[2..];
            }
        }

        return isSound;
    }

    private static byte Unescape(byte letter) =>
        letter switch
        {
            (byte)'b' => (byte)'\b',
            (byte)'f' => (byte)'\f',
            (byte)'n' => (byte)'\n',
            (byte)'r' => (byte)'\r',
            (byte)'t' => (byte)'\t',
            _ => letter,
        };

    private static bool UnescapeUnicode(ref ReadOnlySpan<byte> raw, Span<byte> destination, ref int written)
    {
        int unit = TakeUnit(ref raw);
        if (char.IsHighSurrogate((char)unit) && raw.StartsWith("\\u"u8))
        {
            ReadOnlySpan<byte> afterHigh = raw;
            int low = TakeUnit(ref raw);
            if (char.IsLowSurrogate((char)low))
            {
                written += new Rune((char)unit, (char)low).EncodeToUtf8(destination[written..]);
                return true;
            }

            // The second escape is not the other half. It is read again as a character of its own.
            raw = afterHigh;
        }

        if (char.IsSurrogate((char)unit))
        {
            Replacement.CopyTo(destination[written..]);
            written += Replacement.Length;
            return false;
        }

        written += new Rune(unit).EncodeToUtf8(destination[written..]);
        return true;
    }

    private static int TakeUnit(ref ReadOnlySpan<byte> raw)
    {
        bool isHex = Utf8Parser.TryParse(raw.Slice(2, 4), out int unit, out _, 'x');
        Debug.Assert(isHex, "The tokenizer checked the digits");
        raw = raw[6..];
        return unit;
    }
}
