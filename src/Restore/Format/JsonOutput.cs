using System.Buffers.Text;

namespace Restore.Format;

/// <summary>
/// Writes JSON byte for byte as Duplicati does: compact, with the escapes of Newtonsoft.Json. Only
/// equal bytes let equal metadata be stored once.
/// </summary>
internal sealed class JsonOutput
{
    // The first bytes of all characters that need an escape, and of some that do not.
    private static readonly SearchValues<byte> Special = SearchValues.Create([
        .. Enumerable.Range(0, 0x20).Select(value => (byte)value),
        (byte)'"',
        (byte)'\\',
        0xC2,
        0xE2,
    ]);

    private readonly ArrayBufferWriter<byte> buffer = new();

    public int Length => buffer.WrittenCount;

    public void Raw(ReadOnlySpan<byte> bytes) => buffer.Write(bytes);

    public void Number(long value)
    {
        Span<byte> digits = buffer.GetSpan(20);
        Utf8Formatter.TryFormat(value, digits, out int written);
        buffer.Advance(written);
    }

    public void NumberText(long value)
    {
        Raw("\""u8);
        Number(value);
        Raw("\""u8);
    }

    public void Base64Text(ReadOnlySpan<byte> bytes)
    {
        Raw("\""u8);
        Span<byte> base64 = buffer.GetSpan(Base64.GetMaxEncodedToUtf8Length(bytes.Length));
        Base64.EncodeToUtf8(bytes, base64, out _, out int written);
        buffer.Advance(written);
        Raw("\""u8);
    }

    /// <summary>Writes a string; half a surrogate pair becomes U+FFFD, as with Duplicati.</summary>
    public void Text(string text) => Text(Encoding.UTF8.GetBytes(text));

    /// <summary>
    /// Writes a UTF-8 string: <c>/</c> and non-ASCII characters stay as they are, except three
    /// kinds of line ends.
    /// </summary>
    public void Text(ReadOnlySpan<byte> utf8)
    {
        Raw("\""u8);
        int plain = 0;
        while (utf8[plain..].IndexOfAny(Special) is var next and >= 0)
        {
            // 0xC2 and 0xE2 also begin characters without an escape. Such a byte is copied, and the
            // search continues after it.
            (int length, int escaped) = Escape(utf8[(plain + next)..]);
            Raw(utf8.Slice(plain, next + (length == 0 ? 1 : 0)));
            if (length > 0)
            {
                Escaped(escaped);
            }

            plain += next + Math.Max(length, 1);
        }

        Raw(utf8[plain..]);
        Raw("\""u8);
    }

    public void FlushTo(Stream stream)
    {
        stream.Write(buffer.WrittenSpan);
        buffer.ResetWrittenCount();
    }

    public void Clear() => buffer.ResetWrittenCount();

    public byte[] ToArray() => buffer.WrittenSpan.ToArray();

    // Returns how many bytes at the start form a character that needs an escape (0: none), and
    // which character it is.
    private static (int Length, int Character) Escape(ReadOnlySpan<byte> utf8) =>
        utf8[0] switch
        {
            < 0x20 or (byte)'"' or (byte)'\\' => (1, utf8[0]),
            0xC2 when utf8.StartsWith("\u0085"u8) => (2, 0x85),
            0xE2 when utf8.StartsWith("\u2028"u8) => (3, 0x2028),
            0xE2 when utf8.StartsWith("\u2029"u8) => (3, 0x2029),
            _ => (0, 0),
        };

    private void Escaped(int character)
    {
        Raw("\\"u8);
        switch (character)
        {
            case '"' or '\\':
                Raw([(byte)character]);
                break;
            case '\b':
                Raw("b"u8);
                break;
            case '\f':
                Raw("f"u8);
                break;
            case '\n':
                Raw("n"u8);
                break;
            case '\r':
                Raw("r"u8);
                break;
            case '\t':
                Raw("t"u8);
                break;
            default:
                Raw("u"u8);
                Utf8Formatter.TryFormat(character, buffer.GetSpan(4), out int written, new StandardFormat('x', 4));
                buffer.Advance(written);
                break;
        }
    }
}
