using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;

namespace Restore.Web.Index;

/// <summary>
/// The paths of all versions that were read, each once, with their contents in the versions: about 100 bytes for a path. Bounded by a limit, because a list may
/// have been made to fill the memory. Its user holds <see cref="Gate"/> during each call.
/// </summary>
/// <param name="limitBytes">Limit of the memory.</param>
internal sealed class PathTree(long limitBytes)
{
    /// <summary>The roots: paths that start with a slash, paths of Windows, and others.</summary>
    public const int Roots = 3;

    private const int MaxPathBytes = 98_301;
    private const int MaxDepth = 512;
    private const int BytesPerNode = 48;
    private const int BytesPerState = 48;

    private static readonly (byte Separator, string Prefix)[] Forms = [((byte)'/', "/"), ((byte)'\\', ""), ((byte)'/', "")];

    private readonly NameStore names = new();
    private readonly List<Node> nodes = [.. Enumerable.Repeat(new Node(-1, -1, 0, 0, 0), Roots)];
    private readonly List<NodeState> states = [];
    private int[] slots = [.. Enumerable.Repeat(-1, 1024)];
    private byte[] lastFolder = [];
    private int lastFolderNode = -1;

    /// <summary>Held during each call.</summary>
    public Lock Gate { get; } = new();

    public int Count => nodes.Count;

    public bool IsFull => names.SizeBytes + ((long)nodes.Count * BytesPerNode) + ((long)states.Count * BytesPerState) > limitBytes;

    public ref Node this[int node] => ref CollectionsMarshal.AsSpan(nodes)[node];

    public ref NodeState State(int state) => ref CollectionsMarshal.AsSpan(states)[state];

    /// <summary>Adds an entry of a version.</summary>
    /// <returns>False if its path is too long or too deep to be shown.</returns>
    public bool TryAdd(int version, in EntryInList entry)
    {
        ReadOnlySpan<byte> path = entry.Path;
        if (path.Length is 0 or > MaxPathBytes)
        {
            return false;
        }

        int root = RootOf(path);
        byte separator = Forms[root].Separator;
        ReadOnlySpan<byte> whole = path.Length > 1 && path[^1] == separator ? path[..^1] : path;
        int nameAt = whole.LastIndexOf(separator) + 1;
        int parent = whole.Length == 1 && root == 0 ? 0 : FolderOf(root, whole[..nameAt]);
        if (parent < 0)
        {
            return false;
        }

        int node = whole.Length == 1 && root == 0 ? 0 : ChildOf(parent, whole[nameAt..]);
        ulong content = entry.Hash.Length >= sizeof(ulong) ? BinaryPrimitives.ReadUInt64BigEndian(entry.Hash) : 0;
        AddState(node, version, new EntryContent(entry.Kind, entry.SizeBytes, entry.LastModified?.UtcTicks ?? 0, content));
        return true;
    }

    /// <summary>The entry of a path in a version; null if the version does not have it.</summary>
    public EntryContent? Find(int node, int version)
    {
        for (int state = this[node].FirstState; state >= 0; state = State(state).Next)
        {
            ref NodeState found = ref State(state);
            if (found.Newest <= version && version <= found.Oldest)
            {
                return found.Entry;
            }
        }

        return null;
    }

    /// <summary>The states of a path, newest first.</summary>
    public List<NodeState> StatesOf(int node)
    {
        List<NodeState> found = [];
        for (int state = this[node].FirstState; state >= 0; state = State(state).Next)
        {
            found.Add(State(state));
        }

        found.Sort((left, right) => left.Newest.CompareTo(right.Newest));
        return found;
    }

    public ReadOnlySpan<byte> NameBytes(int node) => names.Get(this[node].NameAt, this[node].NameLength);

    public string Name(int node) => node < Roots ? "" : Encoding.UTF8.GetString(NameBytes(node));

    /// <summary>The child of a folder with a name; -1 if there is none.</summary>
    public int FindChild(int folder, string name) => FindChild(folder, Encoding.UTF8.GetBytes(name));

    /// <summary>The node of an original path, with or without a separator at its end; -1 if there is none.</summary>
    public int FindPath(string path)
    {
        ReadOnlySpan<byte> bytes = Encoding.UTF8.GetBytes(path);
        if (bytes.Length is 0 or > MaxPathBytes)
        {
            return -1;
        }

        int node = RootOf(bytes);
        byte separator = Forms[node].Separator;
        ReadOnlySpan<byte> below = bytes[(node == 0 ? 1 : 0)..].TrimEnd(separator);

        // As in FolderOf, the first part has the separators that the path starts with.
        int head = node == 1 ? Math.Max(0, below[..(below.LastIndexOf(separator) + 1)].IndexOfAnyExcept(separator)) : 0;
        for (int from = 0; from < below.Length && node >= 0; head = from)
        {
            int length = below[head..].IndexOf(separator);
            int end = length < 0 ? below.Length : head + length;
            node = FindChild(node, below[from..end]);
            from = end + 1;
        }

        return node;
    }

    /// <summary>The original path; that of a folder without a separator at its end.</summary>
    public string PathOf(int node)
    {
        List<string> parts = [];
        int root = node;
        for (; root >= Roots; root = this[root].Parent)
        {
            parts.Add(Name(root));
        }

        parts.Reverse();
        return Forms[root].Prefix + string.Join((char)Forms[root].Separator, parts);
    }

    /// <summary>The separator of a node's path.</summary>
    public char SeparatorOf(int node)
    {
        while (node >= Roots)
        {
            node = this[node].Parent;
        }

        return (char)Forms[node].Separator;
    }

    private static int RootOf(ReadOnlySpan<byte> path) => path[0] == '/' ? 0 : path.Contains((byte)'\\') ? 1 : 2;

    private int FindChild(int folder, ReadOnlySpan<byte> name) => folder < Count ? slots[SlotOf(folder, name, HashOf(folder, name))] : -1;

    /// <param name="root">The root.</param>
    /// <param name="folder">A path with the separator at its end; empty for the root.</param>
    /// <returns>The node; -1 if there are too many folders above.</returns>
    private int FolderOf(int root, ReadOnlySpan<byte> folder)
    {
        if (folder.IsEmpty)
        {
            return root;
        }

        if (lastFolderNode >= 0 && folder.SequenceEqual(lastFolder))
        {
            return lastFolderNode;
        }

        byte separator = Forms[root].Separator;
        int node = root;

        // The first part has the separators that a path starts with, such as those of \\server.
        int from = root == 0 && folder.Length > 0 ? 1 : 0;
        int first = root == 1 ? folder.IndexOfAnyExcept(separator) : 0;
        for (int depth = 0; from < folder.Length; depth++)
        {
            if (depth == MaxDepth)
            {
                return -1;
            }

            int start = depth == 0 ? Math.Max(from, first) : from;
            int end = start + folder[start..].IndexOf(separator);
            node = ChildOf(node, folder[from..end]);
            from = end + 1;
        }

        lastFolder = folder.ToArray();
        lastFolderNode = node;
        return node;
    }

    private int ChildOf(int folder, ReadOnlySpan<byte> name)
    {
        int hash = HashOf(folder, name);
        int slot = SlotOf(folder, name, hash);
        if (slots[slot] >= 0)
        {
            return slots[slot];
        }

        int node = nodes.Count;
        nodes.Add(new Node(folder, this[folder].FirstChild, names.Add(name), name.Length, hash));
        this[folder].FirstChild = node;
        slots[slot] = node;
        if (nodes.Count > slots.Length / 2)
        {
            Grow();
        }

        return node;
    }

    /// <summary>Seeded anew in each process: nobody can make names that collide.</summary>
    private static int HashOf(int folder, ReadOnlySpan<byte> name)
    {
        HashCode hash = default;
        hash.Add(folder);
        hash.AddBytes(name);
        return hash.ToHashCode();
    }

    /// <summary>The place of a child in the table, or the free place where it would be.</summary>
    private int SlotOf(int folder, ReadOnlySpan<byte> name, int hash)
    {
        int slot = hash & (slots.Length - 1);
        while (slots[slot] is int node and >= 0 && !IsChild(node, folder, name, hash))
        {
            slot = (slot + 1) & (slots.Length - 1);
        }

        return slot;
    }

    private bool IsChild(int node, int folder, ReadOnlySpan<byte> name, int hash)
    {
        ref Node known = ref this[node];
        return known.Hash == hash && known.Parent == folder && names.Get(known.NameAt, known.NameLength).SequenceEqual(name);
    }

    private void Grow()
    {
        slots = new int[slots.Length * 2];
        slots.AsSpan().Fill(-1);
        int mask = slots.Length - 1;
        for (int node = Roots; node < nodes.Count; node++)
        {
            int slot = this[node].Hash & mask;
            while (slots[slot] >= 0)
            {
                slot = (slot + 1) & mask;
            }

            slots[slot] = node;
        }
    }

    /// <summary>The first of several entries of a version with one path counts.</summary>
    private void AddState(int node, int version, EntryContent entry)
    {
        if (Find(node, version) is not null)
        {
            return;
        }

        for (int state = this[node].FirstState; state >= 0; state = State(state).Next)
        {
            ref NodeState known = ref State(state);
            if (known.Entry == entry && (known.Newest == version + 1 || known.Oldest == version - 1))
            {
                (known.Newest, known.Oldest) = (Math.Min(known.Newest, version), Math.Max(known.Oldest, version));
                return;
            }
        }

        states.Add(new NodeState(this[node].FirstState, version, version, entry));
        this[node].FirstState = states.Count - 1;
    }
}
