using Restore.Format.Selection;

namespace Restore.Planning.Paths;

/// <summary>
/// The entries of a version at the nodes of a tree of paths: 4 bytes for each node. The same list
/// always gives the same numbers. Immutable and safe for concurrent use.
/// </summary>
internal sealed class EntryTree
{
    private const int MaxNameBytes = 255;

    // Entries added in one go under the lock of the shared paths: trees of other versions, made at
    // the same time, wait no longer than this takes.
    private const int EntriesInTurn = 4096;

    private readonly VersionContent content;
    private readonly PathTree paths;

    // By node; none for a folder that only occurs in paths.
    private readonly SegmentedList<EntryId> entries = new();

    private EntryTree(VersionContent content, PathTree paths)
    {
        this.content = content;
        this.paths = paths;
        Reach(paths.Count);
    }

    public int Count => entries.Count;

    public PathTree Paths => paths;

    /// <summary>
    /// The entry of a node; none for a folder that only occurs in paths, and for what is in other
    /// versions only.
    /// </summary>
    public EntryId EntryOf(TreeId node) => node.Number < entries.Count ? entries[node.Number] : EntryId.None;

    public EntryKind KindOf(TreeId node) =>
        EntryOf(node) is { IsNone: false } entry ? content.Entries[entry].Kind : EntryKind.Folder;

    /// <summary>
    /// Makes the tree of a version over the paths of several, which others may use at the same
    /// time.
    /// </summary>
    public static EntryTree At(PathTree shared, VersionContent content)
    {
        EntryTree tree = new(content, shared);
        byte[] buffer = [];
        for (int next = 0; next < content.Entries.Count; )
        {
            lock (shared.Gate)
            {
                for (int end = Math.Min(next + EntriesInTurn, content.Entries.Count); next < end; next++)
                {
                    // The first of several entries with one path counts.
                    if (shared.TryAdd(content.PathOf(new EntryId(next), ref buffer)) is TreeId node)
                    {
                        tree.Reach(shared.Count);
                        ref EntryId entry = ref tree.entries[node.Number];
                        entry = entry.IsNone ? new EntryId(next) : entry;
                    }
                }
            }
        }

        return tree;
    }

    /// <summary>
    /// Makes the tree of a version with the names that a file system accepts. Folders that only
    /// occur in paths are added, and entries that no file system can have are left out.
    /// </summary>
    /// <param name="nameOf">For a content that holds several versions: the name of the state of a
    /// file. A file is then a folder, and each of its states a file in it. Null if every entry has
    /// its own path.</param>
    public static EntryTree Of(VersionContent content, Func<EntryId, string>? nameOf, IssueLog issues)
    {
        EntryTree tree = new(content, new PathTree(content.Names));
        byte[] buffer = [];
        byte[] folder = [];
        TreeId? folderNode = null;
        foreach (EntryId entry in EntryId.UpTo(content.Entries.Count))
        {
            ReadOnlySpan<byte> path = WindowsPath.Usual(content.PathOf(entry, ref buffer));
            EntryKind kind = content.Entries[entry].Kind;
            string? problem = null;
            if (
                folderNode is TreeId known
                && folder is [.., (byte)'/' or (byte)'\\']
                && path.StartsWith(folder)
                && OriginalPath.TryGetPlainName(path, folder.Length, kind, out ReadOnlySpan<byte> plain)
            )
            {
                // Almost every entry: the folder was checked with the one before.
                problem = tree.Add(known, plain, entry, kind, nameOf?.Invoke(entry));
            }
            else if ((problem = OriginalPath.Check(path, kind)) is null)
            {
                ReadOnlySpan<byte> separators = OriginalPath.SeparatorsOf(OriginalPath.StyleOf(path));
                int end = path.TrimEnd(separators).Length;
                int start = Math.Max(
                    path[..end].LastIndexOfAny(separators) + 1,
                    Math.Min(OriginalPath.RootLength(path), end)
                );
                if (folderNode is null || !path[..start].SequenceEqual(folder))
                {
                    folder = path[..start].ToArray();
                    folderNode = tree.FolderAt(folder, out problem);
                }

                problem ??= tree.Add(
                    folderNode!.Value,
                    path[start..Math.Max(start, end)],
                    entry,
                    kind,
                    nameOf?.Invoke(entry)
                );
            }

            if (problem is not null)
            {
                folderNode = null;
                issues.Add(new RestoreIssue(IssueKind.Refused, content.PathText(entry), problem));
            }
        }

        return tree;
    }

    /// <summary>
    /// The names in a path; the first folder of a path on a drive is the letter of the drive.
    /// </summary>
    private static ReadOnlySpan<byte> Names(ReadOnlySpan<byte> path) =>
        path switch
        {
            [] => [],
            [(byte)'/', ..] => path[1..],
            [_, (byte)':', ..] => path,
            _ => path[2..],
        };

    private static bool IsOnDrive(ReadOnlySpan<byte> path) => path is [not (byte)'/', (byte)':', ..];

    /// <summary>Adds an entry.</summary>
    /// <returns>Why it is left out; null if it is in the tree.</returns>
    private string? Add(TreeId folder, ReadOnlySpan<byte> name, EntryId entry, EntryKind kind, string? state)
    {
        if (name.IsEmpty)
        {
            // A root: its folder exists already.
            return SetEntry(folder, entry, kind);
        }

        if (name.Length > MaxNameBytes)
        {
            return $"The name is {name.Length} bytes long; the limit is {MaxNameBytes}";
        }

        if (state is not null && kind != EntryKind.Folder)
        {
            TreeId file = GetOrAdd(folder, name, EntryId.None, out _);
            GetOrAdd(file, Encoding.UTF8.GetBytes(state), entry, out bool isFirst);
            return isFirst ? null : "Another entry has the same path and time";
        }

        TreeId node = GetOrAdd(folder, name, entry, out bool isNew);
        return isNew ? null : SetEntry(node, entry, kind);
    }

    private string? SetEntry(TreeId node, EntryId entry, EntryKind kind)
    {
        ref EntryId known = ref entries[node.Number];
        if (kind == EntryKind.Folder && known.IsNone)
        {
            known = entry;
            return null;
        }

        // Of several versions of a folder the newest comes first.
        return content.Spans.Count > 0 && kind == EntryKind.Folder && KindOf(node) == EntryKind.Folder
            ? null
            : "Another entry has the same path";
    }

    /// <summary>The node of a folder by its path; adds the folders that are missing.</summary>
    private TreeId? FolderAt(ReadOnlySpan<byte> path, out string? problem)
    {
        TreeId node = PathTree.Roots[0];
        problem = null;
        bool isDrive = IsOnDrive(path);
        if (OriginalPath.SharesFolderOf(path) is { IsEmpty: false } shares)
        {
            node = GetOrAdd(node, shares, EntryId.None, out _);
        }

        foreach (Range range in Names(path).SplitAny(OriginalPath.SeparatorsOf(OriginalPath.StyleOf(path))))
        {
            ReadOnlySpan<byte> name = Names(path)[range];
            if (name.IsEmpty)
            {
                continue;
            }

            if (name.Length > MaxNameBytes)
            {
                problem = $"A name in the path is {name.Length} bytes long; the limit is {MaxNameBytes}";
                return null;
            }

            node = GetOrAdd(node, isDrive ? [OriginalPath.DriveFolderOf(name)] : name, EntryId.None, out _);
            isDrive = false;
            if (KindOf(node) != EntryKind.Folder)
            {
                problem = "A folder in the path is another entry that is not a folder";
                return null;
            }
        }

        return node;
    }

    private TreeId GetOrAdd(TreeId folder, ReadOnlySpan<byte> name, EntryId entry, out bool isNew)
    {
        // Nearly every name is in the list as it is.
        long? known =
            !entry.IsNone && content.Entries[entry].Name is var handle && content.Names.Get(handle).SequenceEqual(name)
                ? handle
                : null;
        TreeId node = paths.GetOrAdd(folder, name, out isNew, known);
        if (isNew)
        {
            entries.Add(entry);
        }

        return node;
    }

    private void Reach(int count) => entries.AddMany(EntryId.None, count - entries.Count);
}
