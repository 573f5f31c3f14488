namespace Restore.Cli.Options;

internal static class Suggestion
{
    /// <returns>The nearest name, or null if more than a third of the letters would have to
    /// change, or if it has one or two letters.</returns>
    public static string? Nearest(string wrong, IEnumerable<string> names)
    {
        // Each letter is as near to another one: a short option has none like it.
        if (wrong.Length <= 2)
        {
            return null;
        }

        // The cost grows with the product of both lengths, and no name is that long.
        if (wrong.Length > 100)
        {
            return null;
        }

        var (name, distance) = names
            .Select(name => (name, Distance(wrong.ToLowerInvariant(), name)))
            .MinBy(pair => pair.Item2);
        return distance <= Math.Max(1, (wrong.Length - 2) / 3) ? name : null;
    }

    /// <summary>
    /// The number of letters to insert, delete or replace to turn one text into the other
    /// (Levenshtein).
    /// </summary>
    private static int Distance(string a, string b)
    {
        // One row of the table is kept, and the value of the row above on the diagonal.
        var row = Enumerable.Range(0, b.Length + 1).ToArray();
        for (var i = 1; i <= a.Length; i++)
        {
            var diagonal = row[0];
            row[0] = i;
            for (var j = 1; j <= b.Length; j++)
            {
                var replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.Min(replaced, Math.Min(row[j], row[j - 1]) + 1);
            }
        }

        return row[b.Length];
    }
}
