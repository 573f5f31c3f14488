namespace Restore.Browse.Index;

/// <summary>
/// The trees of single versions. Keeps the last few, and the order of the last few folders.
/// </summary>
internal sealed class VersionViews(EntryIndex tree)
{
    private const int KeptViews = 3;
    private const int KeptFolders = 8;

    private readonly List<(int Version, VersionView View)> views = [];
    private readonly Dictionary<int, (int Files, long Bytes)> totals = [];
    private readonly List<(
        (int Version, TreeId? Folder, ListOrder Order, bool Falls) Key,
        TreeId[] Children
    )> folders = [];

    /// <summary>
    /// The view of a version; its list must be read. The caller holds the gate of the tree, here
    /// and below.
    /// </summary>
    public VersionView Of(int version)
    {
        int place = views.FindIndex(kept => kept.Version == version);
        (int Version, VersionView View) view = place >= 0 ? views[place] : (version, Sum(version));
        KeepFirst(views, place, view, KeptViews);
        return view.View;
    }

    /// <summary>Folders first. A null folder is above all roots.</summary>
    public TreeId[] ChildrenOf(int version, TreeId? folder, ListOrder order, bool falls)
    {
        (int Version, TreeId? Folder, ListOrder Order, bool Falls) key = (version, folder, order, falls);
        int place = folders.FindIndex(kept => kept.Key == key);
        TreeId[] children =
            place >= 0 ? folders[place].Children : Sort(Of(version), Present(version, folder), version, order, falls);
        KeepFirst(folders, place, (key, children), KeptFolders);
        return children;
    }

    public (int Files, long Bytes) TotalsOf(int version)
    {
        if (!totals.TryGetValue(version, out (int Files, long Bytes) sum))
        {
            VersionView view = Of(version);
            sum = (
                PathTree.Roots.Sum(root => view.Files[root.Number]),
                PathTree.Roots.Aggregate(0L, (bytes, root) => Add(bytes, view.Bytes[root.Number]))
            );
            totals.Add(version, sum);
        }

        return sum;
    }

    public bool IsFolder(TreeId node, int version) =>
        tree.Find(node, version) is not { Kind: not BackupEntryKind.Folder };

    private static void KeepFirst<T>(List<T> kept, int place, T item, int most)
    {
        if (place >= 0)
        {
            kept.RemoveAt(place);
        }

        kept.Insert(0, item);
        kept.RemoveRange(Math.Min(most, kept.Count), Math.Max(0, kept.Count - most));
    }

    private VersionView Sum(int version)
    {
        VersionView view = new(new int[tree.Count], new int[tree.Count], new long[tree.Count]);
        for (int node = tree.Count - 1; node >= 0; node--)
        {
            if (tree.Find(new TreeId(node), version) is EntryVersion entry)
            {
                view.Entries[node]++;
                view.Files[node] += entry.Kind == BackupEntryKind.File ? 1 : 0;
                view.Bytes[node] = Add(view.Bytes[node], entry.SizeBytes);
            }

            // A folder has a lower number than what is in it.
            if (tree.Paths.ParentOf(new TreeId(node)) is { Number: int parent })
            {
                view.Entries[parent] += view.Entries[node];
                view.Files[parent] += view.Files[node];
                view.Bytes[parent] = Add(view.Bytes[parent], view.Bytes[node]);
            }
        }

        return view;
    }

    /// <summary>Sizes are claims of the backup: their sum stays at the largest number.</summary>
    public static long Add(long sum, long bytes) => sum > long.MaxValue - bytes ? long.MaxValue : sum + bytes;

    private TreeId[] Present(int version, TreeId? folder)
    {
        VersionView view = Of(version);
        IEnumerable<TreeId> children = folder is TreeId one
            ? tree.Paths.ChildrenOf(one)
            : PathTree.Roots.SelectMany(root => tree.Paths.ChildrenOf(root));
        return [.. children.Where(view.Has)];
    }

    private TreeId[] Sort(VersionView view, TreeId[] sorted, int version, ListOrder order, bool falls)
    {
        (bool IsFile, long Amount, string Name)[] keys =
        [
            .. sorted.Select(node =>
                (
                    !IsFolder(node, version),
                    order == ListOrder.Size ? view.Bytes[node.Number]
                    : order == ListOrder.Time ? tree.Find(node, version)?.TimeTicks ?? 0
                    : 0,
                    tree.Name(node)
                )
            ),
        ];
        int sign = falls ? -1 : 1;
        Array.Sort(
            keys,
            sorted,
            Comparer<(bool IsFile, long Amount, string Name)>.Create(
                (left, right) =>
                    left.IsFile != right.IsFile ? left.IsFile.CompareTo(right.IsFile)
                    : left.Amount != right.Amount ? sign * left.Amount.CompareTo(right.Amount)
                    : sign * ByName(left.Name, right.Name)
            )
        );
        return sorted;
    }

    private static int ByName(string left, string right) =>
        string.Compare(left, right, StringComparison.OrdinalIgnoreCase) is int order and not 0
            ? order
            : string.CompareOrdinal(left, right);
}

/// <summary>
/// How a version differs from the one before it, in files and links. BytesNew is the total length
/// of added and changed files, BytesGone the total length of removed files.
/// </summary>
internal sealed record VersionChange(int Added, int Changed, int Removed, long BytesNew, long BytesGone);
