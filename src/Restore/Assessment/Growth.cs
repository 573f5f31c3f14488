namespace Restore.Assessment;

/// <summary>
/// By how many bytes files became longer: what encrypts files adds the same few bytes to each.
/// </summary>
internal static class Growth
{
    /// <summary>Padding to blocks of a cipher varies by that.</summary>
    public const int Window = 32;

    /// <summary>More than the header of a file encrypted by malware.</summary>
    public const int MostSmall = 4096;

    /// <summary>Of shorter files an edit, too, changes only a few bytes.</summary>
    public const int LeastBytes = 320;

    private const long MostBytes = 1 << 20;

    /// <summary>Finds the window that most of the values lie in.</summary>
    /// <returns>Where it begins, and how many lie in it.</returns>
    public static (long From, int Count) BestWindow(List<long> growths)
    {
        long[] sorted = [.. growths.Where(growth => growth is >= 0 and <= MostBytes).Order()];
        (long from, int most) = (0, 0);
        for (int start = 0, end = 0; start < sorted.Length; start++)
        {
            while (end < sorted.Length && sorted[end] <= sorted[start] + Window)
            {
                end++;
            }

            if (end - start > most)
            {
                (from, most) = (sorted[start], end - start);
            }
        }

        return (from, most);
    }

    public static bool IsIn(long growth, long from) => growth >= from && growth <= from + Window;

    /// <summary>
    /// Whether small and large files grew by about the same; an edit or a new program adds more to
    /// larger files.
    /// </summary>
    public static bool IsConstant(List<(long Size, long Growth)> files)
    {
        const double Most = 2.5;
        const int Least = 8;

        // Pages of a database keep their sizes, and say nothing about the others.
        files = [.. files.Where(file => file.Growth > 0)];
        if (files.Count < Least || IsSpread(files))
        {
            return false;
        }

        files.Sort((left, right) => left.Size.CompareTo(right.Size));
        int half = files.Count / 2;
        (double small, double large) = (MedianOf(files.Take(half)), MedianOf(files.Skip(half)));
        return large <= (small * Most) + Window && small <= (large * Most) + Window;
    }

    /// <summary>
    /// Whether files have lengths now that are multiples of the same number, or as much more than
    /// one, and did not before: a cipher fills its last block.
    /// </summary>
    public static bool IsAligned(List<(long Size, long Growth)> files)
    {
        const int Least = 8;
        const double Most = 0.7;
        const double MostBefore = 0.3;
        if (files.Count < Least)
        {
            return false;
        }

        foreach (long block in (long[])[4096, 512, 64, 16])
        {
            (_, int count) = files.CountBy(file => (file.Size + file.Growth) % block).MaxBy(one => one.Value);
            if (
                count >= Most * files.Count
                && files.CountBy(file => file.Size % block).Max(one => one.Value) <= MostBefore * files.Count
            )
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether the growth of the middle files differs as edits do.</summary>
    private static bool IsSpread(List<(long Size, long Growth)> files)
    {
        const int Edge = 7;
        const int Padding = 64;
        long[] growths = [.. files.Select(file => file.Growth).Order()];
        long low = growths[growths.Length / Edge];
        long high = growths[^(1 + (growths.Length / Edge))];
        return high - low > Padding + (growths[growths.Length / 2] / 2);
    }

    private static double MedianOf(IEnumerable<(long Size, long Growth)> files) =>
        Usual.MedianOf([.. files.Select(file => (double)file.Growth)]);
}
