using System.Buffers.Text;

namespace Restore.Format;

/// <summary>
/// Values of JSON in the one form in which lists are written: no blanks, no escapes, no null. Each
/// method returns the length of the value, or 0 for one that it does not read: then the reader of
/// tokens reads it.
/// </summary>
internal static class CompactJson
{
    // A number of so many digits fits.
    private const int MostDigits = 18;

    /// <summary>
    /// Reads a hash in base64 that has exactly the length of <paramref name="into"/>.
    /// </summary>
    public static int Hash(ReadOnlySpan<byte> value, Span<byte> into)
    {
        int length = Base64.GetMaxEncodedToUtf8Length(into.Length);
        return
            value.Length >= length + 2
            && value[0] == '"'
            && value[length + 1] == '"'
            && Base64.DecodeFromUtf8(value.Slice(1, length), into, out _, out int written) == OperationStatus.Done
            && written == into.Length
            ? length + 2
            : 0;
    }

    /// <summary>Reads an integer without a sign.</summary>
    public static int Number(ReadOnlySpan<byte> value, out long number)
    {
        number = 0;
        int length = 0;
        for (; length < value.Length && char.IsAsciiDigit((char)value[length]); length++)
        {
            if (length == MostDigits)
            {
                return 0;
            }

            number = (number * 10) + (value[length] - '0');
        }

        return length > 1 && value[0] == '0' ? 0 : length;
    }
}
