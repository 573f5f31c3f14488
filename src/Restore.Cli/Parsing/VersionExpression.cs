using System.Globalization;

namespace Restore.Cli.Parsing;

/// <summary>The value of <c>--version</c>: Duplicati takes lists and ranges (<c>0,2-4,7</c>); a restore accepts those that name one version.</summary>
internal static class VersionExpression
{
    /// <summary>Parses the number of the version; 0 is the newest.</summary>
    /// <param name="text">The value as given.</param>
    /// <param name="index">The number.</param>
    /// <param name="error">Why the value cannot be used, without a full stop; null if it can.</param>
    public static bool TryParse(string text, out int index, out string? error)
    {
        index = -1;
        error = null;
        foreach (string part in text.Split(',', StringSplitOptions.TrimEntries))
        {
            if (!TryParseRange(part, out int first, out int last))
            {
                error = $"'{text}' is not a version number; 0 is the newest version, 1 the one before it";
                return false;
            }

            if (first != last || (index >= 0 && index != first))
            {
                error = $"'{text}' names several versions; a restore takes one";
                return false;
            }

            index = first;
        }

        return true;
    }

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
