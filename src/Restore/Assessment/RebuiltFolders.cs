namespace Restore.Assessment;

/// <summary>
/// Folders in which much more changed than was lost, as with a new version of a program or another
/// branch of its sources: what a deletion leaves of a folder stays as it was.
/// </summary>
internal sealed class RebuiltFolders(FileTable table, MadeFiles made, int[] filesOfFolders)
{
    private const double LeastShare = 0.3;
    private const int LeastRatio = 2;

    // A branch is switched in a whole tree, and edits people make are fewer.
    private const double LeastShareOfSources = 0.15;

    // Fewer make no alarm, and all rows would be read for them.
    private const int LeastSources = 3;

    public HashSet<int> Among(List<int> lost, List<int> gained, IEnumerable<int> movedAway)
    {
        Dictionary<int, int> lostOf = lost.CountBy(table.FolderOf).ToDictionary();
        Dictionary<int, int> changedOf = table
            .Changed.Select(changed => changed.Row)
            .Concat(gained)
            .Concat(movedAway)
            .CountBy(table.FolderOf)
            .ToDictionary();
        return
        [
            .. lostOf
                .Where(one =>
                    changedOf.GetValueOrDefault(one.Key) is var changed
                    && changed >= LeastRatio * one.Value
                    && changed >= LeastShare * filesOfFolders[one.Key]
                )
                .Select(one => one.Key),
        ];
    }

    /// <summary>
    /// The lost sources of trees in which many sources were edited: the rows.
    /// </summary>
    public HashSet<int> OfSources(List<int> lost)
    {
        int[] sources = [.. lost.Where(IsSource)];
        if (sources.Length < LeastSources)
        {
            return [];
        }

        HashSet<int> changed =
        [
            .. table.Changed.Where(one => !one.IsReturned && IsSource(one.Row)).Select(one => one.Row),
        ];
        Dictionary<int, string[]> above = [];
        Dictionary<string, (int Lost, int Changed, int Files)> trees = new(StringComparer.Ordinal);
        Count(sources, (tree, files) => tree with { Lost = tree.Lost + files });
        Count(changed, (tree, files) => tree with { Changed = tree.Changed + files });
        Count(
            Enumerable.Range(0, table.Count).Where(row => table.IsOfBoth(row) && IsSource(row)),
            (tree, files) => tree with { Files = tree.Files + files }
        );
        return
        [
            .. sources.Where(row =>
                Array.Exists(
                    above[table.FolderOf(row)],
                    folder =>
                        trees[folder] is var tree
                        && tree.Changed >= LeastRatio * tree.Lost
                        && tree.Changed >= LeastShareOfSources * (tree.Files + tree.Lost)
                )
            ),
        ];

        void Count(
            IEnumerable<int> rows,
            Func<(int Lost, int Changed, int Files), int, (int Lost, int Changed, int Files)> add
        )
        {
            foreach ((int folder, int files) in rows.CountBy(table.FolderOf))
            {
                if (!above.TryGetValue(folder, out string[]? names))
                {
                    above.Add(folder, names = Above(table.FolderPath(folder)));
                }

                foreach (string name in names)
                {
                    ref (int, int, int) tree = ref CollectionsMarshal.GetValueRefOrAddDefault(trees, name, out _);
                    tree = add(tree, files);
                }
            }
        }
    }

    private bool IsSource(int row) => made.GroupOf(table[row].Type) == TypeGroup.Text && !made.Is(row);

    /// <summary>A folder and all above it.</summary>
    public static string[] Above(ReadOnlySpan<byte> folder)
    {
        List<string> names = [];
        ReadOnlySpan<byte> left = folder;
        while (left.Length > 0)
        {
            names.Add(Encoding.UTF8.GetString(left));
            left = left[..VersionContent.FolderLength(left)];
        }

        return [.. names];
    }
}
