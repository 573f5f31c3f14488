namespace Restore.Assessment;

/// <summary>
/// New files of a type that no file had, each as long as one that is gone from its folder, or longer
/// by the same few bytes: encrypted under names that say nothing.
/// </summary>
internal sealed class SizeMatches(FileTable table)
{
    private const int Least = 3;
    private const double Nearly = 0.8;

    // Of more files the version is suspect, and each would be compared with each.
    private const int MostPairs = 10_000;

    /// <returns>The files of both sides.</returns>
    public HashSet<int> Among(List<int> lost, List<int> gained, ReadOnlySpan<long> filesOfTypes)
    {
        HashSet<int> found = [];
        ILookup<int, int> lostOf = lost.ToLookup(table.FolderOf);
        foreach (IGrouping<int, int> added in gained.GroupBy(row => table[row].Type).ToArray())
        {
            bool isNew = added.Key >= filesOfTypes.Length || filesOfTypes[added.Key] == 0;
            if (isNew && !FileTypes.IsHarmless(table.TypeName(added.Key)))
            {
                found.UnionWith(Match([.. added], lostOf));
            }
        }

        return found;
    }

    private List<int> Match(int[] added, ILookup<int, int> lostOf)
    {
        if (added.Length < Least || added.Sum(row => (long)lostOf[table.FolderOf(row)].Count()) > MostPairs)
        {
            return [];
        }

        (int Old, int New, long Growth)[] pairs =
        [
            .. added.SelectMany(row =>
                lostOf[table.FolderOf(row)].Select(old => (old, row, table[row].SizeBytes - table[old].SizeBytes))
            ),
        ];
        (long from, int count) = Growth.BestWindow([
            .. pairs.Select(pair => pair.Growth).Where(growth => growth <= Growth.MostSmall),
        ]);
        (int Old, int New, long Growth)[] same = [.. pairs.Where(pair => Growth.IsIn(pair.Growth, from))];
        int matched = Math.Min(
            same.Select(pair => pair.Old).Distinct().Count(),
            same.Select(pair => pair.New).Distinct().Count()
        );
        return count >= Least && matched >= Math.Max(Least, Nearly * added.Length)
            ? [.. same.SelectMany(pair => new[] { pair.Old, pair.New })]
            : [];
    }
}
