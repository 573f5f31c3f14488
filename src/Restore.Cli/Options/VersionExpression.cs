using System.Diagnostics.CodeAnalysis;

namespace Restore.Cli.Options;

/// <summary>
/// The value of <c>--version</c>: Duplicati takes lists and ranges (<c>0,2-4,7</c>); a restore
/// accepts those that name one version.
/// </summary>
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

    public static string SeveralIn(VersionNumbers numbers) =>
        $"'{numbers.Text}' names several versions; a restore takes one";

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
