using System.Numerics;
using System.Text;
using Restore.Catalog;
using Restore.Format;
using Restore.Memory;

namespace Restore.Planning.Paths;

/// <summary>
/// The entries of a version as folders with names: about 60 bytes and the name for each. Folders that only occur in paths are added, and entries that no
/// file system can have are left out. The same list always gives the same numbers. Immutable and safe for concurrent use.
/// </summary>
internal sealed class EntryTree
{
    public const int Root = 0;
    private const int MaxNameBytes = 255;

    private readonly ByteArena names = new();
    private readonly SegmentedList<Node> nodes = new();
    private readonly VersionContent content;

    // Numbers of nodes plus one, by folder and name; the length is a power of two, at most half full.
    private int[] slots;

    // The children of a node, and where those of the next one start.
    private int[] children = [];
    private int[] starts = [];

    private EntryTree(VersionContent content)
    {
        this.content = content;
        slots = new int[(int)BitOperations.RoundUpToPowerOf2((uint)Math.Clamp(content.Entries.Count * 2L, 64, 1 << 30))];
        nodes.Add(new Node(0, Root, EntryId.None, EntryKind.Folder));
    }

    public int Count => nodes.Count;

    /// <summary>The entry of a node; none for a folder that only occurs in paths.</summary>
    public EntryId EntryOf(int node) => nodes[node].Entry;

    public EntryKind KindOf(int node) => nodes[node].Kind;

    public int ParentOf(int node) => nodes[node].Parent;

    /// <summary>The name in UTF-8; empty for the root.</summary>
    public ReadOnlySpan<byte> NameOf(int node) => names.Get(nodes[node].Name);

    public ReadOnlySpan<int> ChildrenOf(int node) => children.AsSpan(starts[node]..starts[node + 1]);

    /// <summary>The node of a name in a folder; -1 if there is none.</summary>
    public int Find(int folder, ReadOnlySpan<byte> name) => slots[SlotOf(folder, name)] - 1;

    /// <summary>The node of an original path; -1 if there is none.</summary>
    public int FindPath(ReadOnlySpan<byte> path)
    {
        if (OriginalPath.StyleOf(path) == PathStyle.None)
        {
            return -1;
        }

        int node = Root;
        bool isDrive = IsOnDrive(path);
        foreach (Range range in Names(path).SplitAny(OriginalPath.SeparatorsOf(OriginalPath.StyleOf(path))))
        {
            ReadOnlySpan<byte> name = Names(path)[range];
            if (node >= 0 && !name.IsEmpty)
            {
                node = Find(node, isDrive ? name[..1] : name);
                isDrive = false;
            }
        }

        return node;
    }

    /// <summary>Makes the tree of a version.</summary>
    /// <param name="content">The entries.</param>
    /// <param name="nameOf">
    /// For a content that holds several versions: the name of the state of a file. A file is then a folder, and each of its states a file in it.
    /// Null if every entry has its own path.
    /// </param>
    /// <param name="issues">Receives the entries that are left out.</param>
    public static EntryTree Of(VersionContent content, Func<EntryId, string>? nameOf, IssueLog issues)
    {
        EntryTree tree = new(content);
        byte[] buffer = [];
        byte[] folder = [];
        int folderNode = -1;
        foreach (EntryId entry in EntryId.UpTo(content.Entries.Count))
        {
            ReadOnlySpan<byte> path = content.PathOf(entry, ref buffer);
            EntryKind kind = content.Entries[entry].Kind;
            string? problem = null;
            if (folderNode >= 0 && folder is [.., (byte)'/' or (byte)'\\'] && path.StartsWith(folder)
                && OriginalPath.TryGetPlainName(path, folder.Length, kind, out ReadOnlySpan<byte> plain))
            {
                // Almost every entry: the folder was checked with the one before.
                problem = tree.Add(folderNode, plain, entry, kind, nameOf?.Invoke(entry));
            }
            else if ((problem = OriginalPath.Check(path, kind)?.Reason) is null)
            {
                ReadOnlySpan<byte> separators = OriginalPath.SeparatorsOf(OriginalPath.StyleOf(path));
                int end = path.TrimEnd(separators).Length;
                int start = Math.Max(path[..end].LastIndexOfAny(separators) + 1, Math.Min(OriginalPath.RootLength(path), end));
                if (folderNode < 0 || !path[..start].SequenceEqual(folder))
                {
                    folder = path[..start].ToArray();
                    folderNode = tree.FolderAt(folder, out problem);
                }

                problem ??= tree.Add(folderNode, path[start..Math.Max(start, end)], entry, kind, nameOf?.Invoke(entry));
            }

            if (problem is not null)
            {
                folderNode = -1;
                issues.Add(new RestoreIssue(IssueKind.Refused, Encoding.UTF8.GetString(path), problem));
            }
        }

        tree.ListChildren();
        return tree;
    }

    /// <summary>The name of the first folder: that of a drive is its letter.</summary>
    private static ReadOnlySpan<byte> Names(ReadOnlySpan<byte> path) => path switch
    {
        [] => [],
        [(byte)'/', ..] => path[1..],
        [_, (byte)':', ..] => path,
        _ => path[2..],
    };

    private static bool IsOnDrive(ReadOnlySpan<byte> path) => path is [not (byte)'/', (byte)':', ..];

    /// <summary>Adds an entry.</summary>
    /// <returns>Why it is left out; null if it is in the tree.</returns>
    private string? Add(int folder, ReadOnlySpan<byte> name, EntryId entry, EntryKind kind, string? state)
    {
        if (name.IsEmpty)
        {
            // A root, whose folder is there already.
            return SetEntry(folder, entry, kind);
        }

        if (name.Length > MaxNameBytes)
        {
            return $"The name is {name.Length} bytes long; the limit is {MaxNameBytes}";
        }

        if (state is not null && kind != EntryKind.Folder)
        {
            int file = GetOrAdd(folder, name, EntryId.None, EntryKind.Folder, out _);
            GetOrAdd(file, Encoding.UTF8.GetBytes(state), entry, kind, out bool isFirst);
            return isFirst ? null : "Another entry has the same path and time";
        }

        int node = GetOrAdd(folder, name, entry, kind, out bool isNew);
        return isNew ? null : SetEntry(node, entry, kind);
    }

    private string? SetEntry(int node, EntryId entry, EntryKind kind)
    {
        ref Node known = ref nodes[node];
        if (kind == EntryKind.Folder && known is { Kind: EntryKind.Folder, Entry.IsNone: true })
        {
            known.Entry = entry;
            return null;
        }

        // Of several versions of a folder the newest comes first.
        return content.Spans.Count > 0 && kind == EntryKind.Folder && known.Kind == EntryKind.Folder ? null : "Another entry has the same path";
    }

    /// <summary>The node of a folder by its path; adds the folders that are missing.</summary>
    private int FolderAt(ReadOnlySpan<byte> path, out string? problem)
    {
        int node = Root;
        problem = null;
        bool isDrive = IsOnDrive(path);
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
                return -1;
            }

            node = GetOrAdd(node, isDrive ? name[..1] : name, EntryId.None, EntryKind.Folder, out _);
            isDrive = false;
            if (nodes[node].Kind != EntryKind.Folder)
            {
                problem = "A folder in the path is another entry that is not a folder";
                return -1;
            }
        }

        return node;
    }

    private int GetOrAdd(int folder, ReadOnlySpan<byte> name, EntryId entry, EntryKind kind, out bool isNew)
    {
        int slot = SlotOf(folder, name);
        isNew = slots[slot] == 0;
        if (!isNew)
        {
            return slots[slot] - 1;
        }

        int node = nodes.Add(new Node(names.Add(name), folder, entry, kind));
        slots[slot] = node + 1;
        if (nodes.Count * 2L > slots.Length)
        {
            Grow();
        }

        return node;
    }

    /// <summary>The seed of the hash code is random in each process, so a backup cannot choose names that collide.</summary>
    private int SlotOf(int folder, ReadOnlySpan<byte> name)
    {
        HashCode hash = default;
        hash.Add(folder);
        hash.AddBytes(name);
        int mask = slots.Length - 1;
        int slot = hash.ToHashCode() & mask;
        while (slots[slot] is int node and > 0 && (nodes[node - 1].Parent != folder || !NameOf(node - 1).SequenceEqual(name)))
        {
            slot = (slot + 1) & mask;
        }

        return slot;
    }

    private void Grow()
    {
        slots = new int[checked(slots.Length * 2)];
        for (int node = Root + 1; node < nodes.Count; node++)
        {
            slots[SlotOf(nodes[node].Parent, NameOf(node))] = node + 1;
        }
    }

    private void ListChildren()
    {
        starts = new int[nodes.Count + 2];
        for (int node = Root + 1; node < nodes.Count; node++)
        {
            starts[nodes[node].Parent + 2]++;
        }

        for (int node = 2; node < starts.Length; node++)
        {
            starts[node] += starts[node - 1];
        }

        // Here a start is one further on, and moves to its place while the children are listed.
        children = new int[nodes.Count - 1];
        for (int node = Root + 1; node < nodes.Count; node++)
        {
            children[starts[nodes[node].Parent + 1]++] = node;
        }
    }

    private record struct Node(long Name, int Parent, EntryId Entry, EntryKind Kind);
}
