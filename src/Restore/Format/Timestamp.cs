namespace Restore.Format;

/// <summary>
/// The one time format of names, manifests and file lists: <c>yyyyMMddTHHmmssZ</c>, UTC, whole
/// seconds.
/// </summary>
internal static class Timestamp
{
    public const int Length = 16;

    /// <summary>Parses a time; refuses an impossible one (month 13, 30 February).</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out DateTime utc)
    {
        utc = default;
        if (
            text.Length != Length
            || text[8] != 'T'
            || text[15] != 'Z'
            || !TryDigits(text[..4], out int year)
            || !TryDigits(text[4..6], out int month)
            || !TryDigits(text[6..8], out int day)
            || !TryDigits(text[9..11], out int hour)
            || !TryDigits(text[11..13], out int minute)
            || !TryDigits(text[13..15], out int second)
        )
        {
            return false;
        }

        if (
            year < 1
            || month is < 1 or > 12
            || day < 1
            || day > DateTime.DaysInMonth(year, month)
            || hour > 23
            || minute > 59
            || second > 59
        )
        {
            return false;
        }

        utc = new DateTime(year, month, day, hour, minute, second, DateTimeKind.Utc);
        return true;
    }

    public static bool TryParse(ReadOnlySpan<char> text, out DateTime utc)
    {
        utc = default;
        Span<byte> ascii = stackalloc byte[Length];
        return text.Length == Length
            && Ascii.FromUtf16(text, ascii, out _) == System.Buffers.OperationStatus.Done
            && TryParse(ascii, out utc);
    }

    public static string Format(DateTimeOffset time) =>
        time.UtcDateTime.ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture);

    private static bool TryDigits(ReadOnlySpan<byte> text, out int value)
    {
        value = 0;
        foreach (byte b in text)
        {
            if (!char.IsAsciiDigit((char)b))
            {
                return false;
            }

            value = (value * 10) + (b - '0');
        }

        return true;
    }
}
