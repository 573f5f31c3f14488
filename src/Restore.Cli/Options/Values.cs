using System.Diagnostics.CodeAnalysis;

namespace Restore.Cli.Options;

/// <summary>Values of options that are on or off: <c>--overwrite</c> alone is on, <c>--overwrite=false</c> is off.</summary>
internal static class BooleanExpression
{
    /// <summary>Parses a value; no value means on. Duplicati reads any other word as on; here it is refused.</summary>
    public static bool TryParse(string? text, out bool value)
    {
        string word = (text ?? "").Trim().ToLowerInvariant();
        value = word is "" or "1" or "on" or "true" or "yes";
        return value || word is "0" or "off" or "false" or "no";
    }
}

/// <summary>Sizes as in Duplicati's options: a whole number and a unit of 1024, <c>50mb</c> (b, kb, mb, gb, tb; kib and so on are the same).</summary>
internal static class SizeExpression
{
    /// <summary>The default unit is that of a bare number: b, kb, mb, gb or tb. False if the text is not a size, or is negative or too large.</summary>
    public static bool TryParse(string text, string defaultUnit, out long bytes)
    {
        ReadOnlySpan<char> trimmed = text.AsSpan().Trim();
        int digits = trimmed.IndexOfAnyExceptInRange('0', '9');
        ReadOnlySpan<char> number = digits < 0 ? trimmed : trimmed[..digits];
        ReadOnlySpan<char> unit = digits < 0 ? defaultUnit : trimmed[digits..].TrimStart();
        bytes = 0;
        if (!long.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out long count)
            || !TryShift(unit, out int shift)
            || count > long.MaxValue >> shift)
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
        shift = length < 0 ? -1 : lower[..length] switch
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

/// <summary>Lengths of time as in Duplicati's options: numbers with a unit each (s, m, h, D, W); a bare number counts seconds.</summary>
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
            if (!int.TryParse(isLast ? rest : rest[..digits], NumberStyles.None, CultureInfo.InvariantCulture, out var count)
                || UnitOf(isLast ? 's' : rest[digits]) is not { } unit || count > Longest / unit || (span += count * unit) > Longest)
            {
                return false;
            }

            rest = isLast ? [] : rest[(digits + 1)..];
        }

        return text.AsSpan().Trim().Length > 0;
    }

    private static TimeSpan? UnitOf(char letter) => letter switch
    {
        's' or 'S' => TimeSpan.FromSeconds(1),
        'm' => TimeSpan.FromMinutes(1),
        'h' or 'H' => TimeSpan.FromHours(1),
        'd' or 'D' => TimeSpan.FromDays(1),
        'w' or 'W' => TimeSpan.FromDays(7),
        _ => null,
    };
}

internal sealed record VersionNumbers(string Text, IReadOnlyList<(int First, int Last)> Ranges)
{
    /// <summary>The numbers, each once; the first unknown one is among them, so that it can be named.</summary>
    public IReadOnlyList<int> Expand(int count) =>
        [.. Ranges.SelectMany(range => Enumerable.Range(range.First, Math.Max(0, Math.Min(range.Last, count) - range.First + 1))
            .DefaultIfEmpty(range.First)).Distinct()];
}

/// <summary>The value of <c>--version</c>: Duplicati takes lists and ranges (<c>0,2-4,7</c>); a restore accepts those that name one version.</summary>
internal static class VersionExpression
{
    public static bool TryParse(string text, out int index, out string? error)
    {
        if (TryParseAll(text, out VersionNumbers? numbers, out error))
        {
            error = TryGetOne(numbers, out index) ? null : SeveralIn(numbers);
            return error is null;
        }

        index = -1;
        return false;
    }

    public static bool TryParseAll(string text, [NotNullWhen(true)] out VersionNumbers? numbers, out string? error)
    {
        List<(int First, int Last)> ranges = [];
        (numbers, error) = (null, null);
        foreach (string part in text.Split(',', StringSplitOptions.TrimEntries))
        {
            if (!TryParseRange(part, out int first, out int last))
            {
                error = $"'{text}' is not a version number; 0 is the newest version, 1 the one before it";
                return false;
            }

            ranges.Add((Math.Min(first, last), Math.Max(first, last)));
        }

        numbers = new VersionNumbers(text, ranges);
        return true;
    }

    public static bool TryGetOne(VersionNumbers numbers, out int index)
    {
        int first = index = numbers.Ranges[0].First;
        return numbers.Ranges.All(range => range.First == first && range.Last == first);
    }

    public static string SeveralIn(VersionNumbers numbers) => $"'{numbers.Text}' names several versions; a restore takes one";

    private static bool TryParseRange(string part, out int first, out int last)
    {
        int dash = part.IndexOf('-', StringComparison.Ordinal);
        ReadOnlySpan<char> left = dash < 0 ? part : part.AsSpan(0, dash).Trim();
        ReadOnlySpan<char> right = dash < 0 ? part : part.AsSpan(dash + 1).Trim();
        last = 0;
        return int.TryParse(left, NumberStyles.None, CultureInfo.InvariantCulture, out first)
            && int.TryParse(right, NumberStyles.None, CultureInfo.InvariantCulture, out last);
    }
}
