namespace Restore.Cli.Options;

/// <summary>
/// Lengths of time as in Duplicati's options: numbers with a unit each (s, m, h, D, W); a bare
/// number counts seconds.
/// </summary>
internal static class SpanExpression
{
    private static readonly TimeSpan Longest = TimeSpan.FromDays(30);

    public static bool TryParse(string text, out TimeSpan span)
    {
        span = default;
        var rest = text.AsSpan().Trim();
        while (rest.Length > 0)
        {
            var digits = rest.IndexOfAnyExceptInRange('0', '9');
            var isLast = digits < 0;
            if (
                !int.TryParse(
                    isLast ? rest : rest[..digits],
                    NumberStyles.None,
                    CultureInfo.InvariantCulture,
                    out var count
                )
                || UnitOf(isLast ? 's' : rest[digits]) is not { } unit
                || count > Longest / unit
                || (span += count * unit) > Longest
            )
            {
                return false;
            }

            rest = isLast ? [] : rest[(digits + 1)..];
        }

        return text.AsSpan().Trim().Length > 0;
    }

    private static TimeSpan? UnitOf(char letter) =>
        letter switch
        {
            's' or 'S' => TimeSpan.FromSeconds(1),
            'm' => TimeSpan.FromMinutes(1),
            'h' or 'H' => TimeSpan.FromHours(1),
            'd' or 'D' => TimeSpan.FromDays(1),
            'w' or 'W' => TimeSpan.FromDays(7),
            _ => null,
        };
}
