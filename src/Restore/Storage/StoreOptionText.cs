namespace Restore.Storage;

/// <summary>Reads times and sizes in Duplicati's notation; null for anything else.</summary>
internal static class StoreOptionText
{
    /// <summary>
    /// <c>10s</c>, <c>1m30s</c>, <c>2h</c>, <c>0:00:10</c>; also <c>250ms</c>. At most a week.
    /// </summary>
    public static TimeSpan? Duration(string text)
    {
        TimeSpan? duration = text.Contains(':')
            ? TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan colons)
                ? colons
                : null
            : SumOfUnits(text);
        return duration >= TimeSpan.Zero && duration <= TimeSpan.FromDays(7) ? duration : null;
    }

    /// <summary>
    /// <c>500kb</c>, <c>10mb</c>; a bare number counts in <paramref name="bareUnitBytes"/>.
    /// </summary>
    public static long? Bytes(string text, long bareUnitBytes)
    {
        int digits = text.AsSpan().TrimEnd("kmgtbKMGTB ").Length;
        long? unit = text[digits..].Trim().ToLowerInvariant() switch
        {
            "" => bareUnitBytes,
            "b" => 1,
            "kb" or "k" => 1L << 10,
            "mb" or "m" => 1L << 20,
            "gb" or "g" => 1L << 30,
            _ => null,
        };
        bool usable = decimal.TryParse(
            text.AsSpan(0, digits),
            NumberStyles.AllowDecimalPoint,
            CultureInfo.InvariantCulture,
            out decimal number
        );
        return usable && unit is { } factor && number <= long.MaxValue / factor / 2 ? (long)(number * factor) : null;
    }

    private static TimeSpan? SumOfUnits(string text)
    {
        TimeSpan sum = TimeSpan.Zero;
        ReadOnlySpan<char> rest = text;
        while (rest.Length > 0)
        {
            int digits = rest.IndexOfAnyExceptInRange('0', '9') is >= 0 and int end ? end : rest.Length;
            if (!int.TryParse(rest[..digits], NumberStyles.None, CultureInfo.InvariantCulture, out int number))
            {
                return null;
            }

            rest = rest[digits..];
            int letters = rest.IndexOfAnyInRange('0', '9') is >= 0 and int next ? next : rest.Length;
            if (UnitOf(rest[..letters]) is not { } unit || number > TimeSpan.FromDays(30) / unit)
            {
                return null;
            }

            sum += number * unit;
            rest = rest[letters..];
        }

        return sum;
    }

    private static TimeSpan? UnitOf(ReadOnlySpan<char> letters) =>
        letters switch
        {
            "ms" => TimeSpan.FromMilliseconds(1),
            "" or "s" => TimeSpan.FromSeconds(1),
            "m" => TimeSpan.FromMinutes(1),
            "h" => TimeSpan.FromHours(1),
            "D" => TimeSpan.FromDays(1),
            "W" => TimeSpan.FromDays(7),
            _ => null,
        };
}
