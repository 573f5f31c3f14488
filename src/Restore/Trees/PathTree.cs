using Restore.Format.Selection;

namespace Restore.Trees;

/// <summary>A path in a <see cref="PathTree"/> or a <see cref="BackupTree"/>.</summary>
/// <param name="Number">The number of the path. A folder has a lower number than everything in
/// it.</param>
public readonly record struct TreeId(int Number);

/// <summary>
/// Original paths as folders with names, each path once, whichever versions have it: about 40 bytes
/// and the name for each. A path comes back exactly as it was added, except for a separator at its
/// end and the long form of Windows (<c>\\?\C:\x</c> is <c>C:\x</c>). Not safe for concurrent use:
/// users that share a tree hold its <see cref="Gate"/>.
/// </summary>
public sealed class PathTree
{
    private const int MaxPathBytes = 98_301;
    private const int MaxDepth = 512;
    private const int LinkBytes = 8;

    // Paths that start with a slash, Windows paths, and other paths.
    private static readonly (byte Separator, string Prefix)[] Forms =
    [
        ((byte)'/', "/"),
        ((byte)'\\', ""),
        ((byte)'/', ""),
    ];

    private readonly PathTable names;
    private readonly SegmentedList<Links> links = new();
    private byte[] lastFolder = [];
    private int lastFolderNode = -1;

    /// <summary>Creates a tree that has nothing but its roots.</summary>
    public PathTree()
        : this(new ByteArena()) { }

    internal PathTree(ByteArena names)
    {
        this.names = new PathTable(shared: names);
        foreach (string form in (string[])["/", "\\", ""])
        {
            this.names.TryAdd(-1, Encoding.UTF8.GetBytes(form), out _);
            links.Add(default);
        }
    }

    /// <summary>
    /// The roots: for paths that start with a slash, for Windows paths, and for other paths.
    /// </summary>
    public static IReadOnlyList<TreeId> Roots { get; } =
    [.. Enumerable.Range(0, Forms.Length).Select(root => new TreeId(root))];

    /// <summary>Users that share the tree hold this lock during a call.</summary>
    public Lock Gate { get; } = new();

    /// <summary>Number of nodes; all lower numbers are nodes.</summary>
    public int Count => names.Count;

    /// <summary>About how much memory the tree takes.</summary>
    public long SizeBytes => names.SizeBytes + ((long)names.Count * LinkBytes);

    /// <summary>Whether a node is a root, which has no name.</summary>
    public static bool IsRoot(TreeId node) => node.Number < Forms.Length;

    /// <summary>The folder of a node; null for a root.</summary>
    public TreeId? ParentOf(TreeId node) => IsRoot(node) ? null : new TreeId(names.ParentOf(node.Number));

    /// <summary>
    /// The name of a node in UTF-8; empty for a root, and for the empty part between two adjacent
    /// separators.
    /// </summary>
    public ReadOnlySpan<byte> NameOf(TreeId node) => IsRoot(node) ? [] : names.NameOf(node.Number);

    /// <summary>The nodes in a folder, in the order in which they were added.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="after">Begins after this node of the folder; null for all.</param>
    public IEnumerable<TreeId> ChildrenOf(TreeId folder, TreeId? after = null)
    {
        int last = links[folder.Number].LastChild;
        if (last == 0 || (after is TreeId known && (known.Number >= Count || ParentOf(known) != folder)))
        {
            yield break;
        }

        int node = after?.Number ?? last;
        for (bool isEnd = after?.Number == last; !isEnd; isEnd = node == last)
        {
            node = links[node].Next;
            yield return new TreeId(node);
        }
    }

    /// <summary>The node with a name in a folder; null if the folder does not have it.</summary>
    public TreeId? Find(TreeId folder, ReadOnlySpan<byte> name) =>
        folder.Number < Count && names.TryFind(folder.Number, name, out int node) ? new TreeId(node) : null;

    /// <summary>
    /// The node of an original path, with or without a separator at its end; null if the tree does
    /// not have it.
    /// </summary>
    public TreeId? Find(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        return Walk(Encoding.UTF8.GetBytes(path), adds: false);
    }

    /// <summary>
    /// Adds an original path in UTF-8, if the tree does not have it, and the folders above it.
    /// </summary>
    /// <returns>Its node; null if the path is empty, too long or too deep.</returns>
    public TreeId? TryAdd(ReadOnlySpan<byte> path) => Walk(path, adds: true);

    /// <summary>The original path. The path of a folder has no separator at its end.</summary>
    public string PathOf(TreeId node)
    {
        List<string> parts = [];
        int at = node.Number;
        for (; at >= Forms.Length; at = names.ParentOf(at))
        {
            parts.Add(Encoding.UTF8.GetString(names.NameOf(at)));
        }

        parts.Reverse();
        return Forms[at].Prefix + string.Join((char)Forms[at].Separator, parts);
    }

    /// <summary>The separator of the path of a node.</summary>
    public char SeparatorOf(TreeId node)
    {
        int at = node.Number;
        while (at >= Forms.Length)
        {
            at = names.ParentOf(at);
        }

        return (char)Forms[at].Separator;
    }

    internal TreeId GetOrAdd(TreeId folder, ReadOnlySpan<byte> name, out bool isNew, long? handle = null)
    {
        isNew = names.TryAdd(folder.Number, name, out int node, handle);
        if (isNew)
        {
            // The last child is followed by the first one.
            ref int last = ref links[folder.Number].LastChild;
            links.Add(new Links { Next = last == 0 ? node : links[last].Next });
            links[last == 0 ? node : last].Next = node;
            last = node;
        }

        return new TreeId(node);
    }

    private static int RootOf(ReadOnlySpan<byte> path) =>
        path[0] == '/' ? 0
        : path.Contains((byte)'\\') ? 1
        : 2;

    private TreeId? Walk(ReadOnlySpan<byte> path, bool adds)
    {
        if (path.Length is 0 or > MaxPathBytes)
        {
            return null;
        }

        path = WindowsPath.Usual(path);
        int root = RootOf(path);
        byte separator = Forms[root].Separator;
        if (root == 0 && path.Length == 1)
        {
            return Roots[0];
        }

        ReadOnlySpan<byte> whole = path[^1] == separator && path.Length > 1 ? path[..^1] : path;
        int nameAt = whole.LastIndexOf(separator) + 1;
        return FolderOf(root, whole[..nameAt], adds) is TreeId folder ? Step(folder, whole[nameAt..], adds) : null;
    }

    /// <summary>
    /// The node of a folder, by its path with the separator at its end; empty for the root.
    /// </summary>
    private TreeId? FolderOf(int root, ReadOnlySpan<byte> folder, bool adds)
    {
        if (folder.IsEmpty)
        {
            return Roots[root];
        }

        // Lists are sorted by path, so most entries lie in the folder of the entry before.
        if (lastFolderNode >= 0 && folder.SequenceEqual(lastFolder))
        {
            return new TreeId(lastFolderNode);
        }

        byte separator = Forms[root].Separator;
        TreeId? node = Roots[root];

        // The first part includes the separators that a path starts with, as in \\server.
        int from = root == 0 ? 1 : 0;
        int first = root == 1 ? Math.Max(0, folder.IndexOfAnyExcept(separator)) : 0;
        for (int depth = 0; from < folder.Length; depth++)
        {
            int start = depth == 0 ? Math.Max(from, first) : from;
            int end = start + folder[start..].IndexOf(separator);
            node = depth < MaxDepth && node is TreeId above ? Step(above, folder[from..end], adds) : null;
            if (node is null)
            {
                return null;
            }

            from = end + 1;
        }

        (lastFolder, lastFolderNode) = (folder.ToArray(), node.Value.Number);
        return node;
    }

    private TreeId? Step(TreeId folder, ReadOnlySpan<byte> name, bool adds) =>
        adds ? GetOrAdd(folder, name, out _) : Find(folder, name);

    private record struct Links
    {
        public int LastChild;
        public int Next;
    }
}
