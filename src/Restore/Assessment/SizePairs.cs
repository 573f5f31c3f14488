namespace Restore.Assessment;

/// <summary>
/// Pairs files that are gone with new files of their folder by their lengths: malware that gives
/// random names changes the lengths little.
/// </summary>
internal sealed class SizePairs(FileTable table, Transition transition)
{
    private const double Most = 0.6;
    private const double FewOfType = 0.02;

    public void Match(List<int> lost, List<int> gained, ReadOnlySpan<long> filesOfTypes, Dictionary<int, Signs> signs)
    {
        List<(int Old, int New)> pairs = Pair(lost, gained);
        List<long> growths = [.. pairs.Select(pair => table[pair.New].SizeBytes - table[pair.Old].SizeBytes)];
        bool isSameGrowth = Growth.BestWindow(growths).Count >= Most * pairs.Count;
        long known = 0;
        foreach (long files in filesOfTypes)
        {
            known += files;
        }

        int unknown = 0;
        foreach (int row in gained)
        {
            unknown += IsUnknown(table[row].Type, filesOfTypes, known) ? 1 : 0;
        }

        // Lengths that lie close together pair by chance.
        if (pairs.Count < Most * lost.Count || (!isSameGrowth && unknown < Most * gained.Count))
        {
            return;
        }

        foreach ((int old, int added) in pairs)
        {
            signs[old] |= Signs.RandomName;
            signs[added] = signs.GetValueOrDefault(added) | Signs.Replacement;
            transition[Signs.RandomName]++;
        }
    }

    private static bool IsUnknown(int type, ReadOnlySpan<long> filesOfTypes, long files) =>
        type >= filesOfTypes.Length || filesOfTypes[type] <= FewOfType * files;

    private List<(int Old, int New)> Pair(List<int> lost, List<int> gained)
    {
        List<(int Old, int New)> pairs = [];
        ILookup<int, int> added = gained.ToLookup(table.FolderOf);
        foreach (IGrouping<int, int> folder in lost.GroupBy(table.FolderOf))
        {
            int[] from = [.. folder.OrderBy(row => table[row].SizeBytes)];
            int[] to = [.. added[folder.Key].OrderBy(row => table[row].SizeBytes)];
            for (int i = 0, k = 0; i < from.Length && k < to.Length; )
            {
                long growth = table[to[k]].SizeBytes - table[from[i]].SizeBytes;
                if (growth is >= 0 and <= Growth.MostSmall)
                {
                    pairs.Add((from[i++], to[k++]));
                }
                else
                {
                    _ = growth < 0 ? k++ : i++;
                }
            }
        }

        return pairs;
    }
}
