namespace Restore.Cli.Options;

/// <summary>
/// Sizes as in Duplicati's options: a whole number and a unit of 1024, <c>50mb</c> (b, kb, mb, gb,
/// tb; kib and so on are the same).
/// </summary>
internal static class SizeExpression
{
    /// <summary>
    /// A bare number is in the default unit (b, kb, mb, gb or tb). False if the text is not a size,
    /// or is negative or too large.
    /// </summary>
    public static bool TryParse(string text, string defaultUnit, out long bytes)
    {
        ReadOnlySpan<char> trimmed = text.AsSpan().Trim();
        int digits = trimmed.IndexOfAnyExceptInRange('0', '9');
        ReadOnlySpan<char> number = digits < 0 ? trimmed : trimmed[..digits];
        ReadOnlySpan<char> unit = digits < 0 ? defaultUnit : trimmed[digits..].TrimStart();
        bytes = 0;
        if (
            !long.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out long count)
            || !TryShift(unit, out int shift)
            || count > long.MaxValue >> shift
        )
        {
            return false;
        }

        bytes = count << shift;
        return true;
    }

    private static bool TryShift(ReadOnlySpan<char> unit, out int shift)
    {
        Span<char> lower = stackalloc char[3];
        int length = unit.ToLowerInvariant(lower);
        shift =
            length < 0
                ? -1
                : lower[..length] switch
                {
                    "b" => 0,
                    "kb" or "kib" => 10,
                    "mb" or "mib" => 20,
                    "gb" or "gib" => 30,
                    "tb" or "tib" => 40,
                    _ => -1,
                };
        return shift >= 0;
    }
}
