using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;

namespace Restore.Browse.Index;

/// <summary>
/// A content of a path, with the range of versions that have it. Next is where the next state of
/// the same path is; 0 for none.
/// </summary>
internal record struct NodeState(int Next, int Newest, int Oldest, EntryVersion Entry);

/// <summary>
/// The paths of all versions that were read, each once, with their contents: about 100 bytes for a
/// path. Bounded, because a list may have been made to fill the memory. Its user holds
/// <see cref="Gate"/> during each call.
/// </summary>
internal sealed class EntryIndex(long limitBytes)
{
    private const int BytesPerNode = 4;
    private const int BytesPerState = 48;

    // By node: where its first state is; 0 for none. The state at 0 is not one.
    private readonly List<int> firstStates = [];
    private readonly List<NodeState> states = [default];

    public PathTree Paths { get; } = new();

    public Lock Gate => Paths.Gate;

    public int Count => Paths.Count;

    public bool IsFull =>
        Paths.SizeBytes + ((long)firstStates.Count * BytesPerNode) + ((long)states.Count * BytesPerState) > limitBytes;

    /// <summary>All nodes, a folder before what is in it.</summary>
    public IEnumerable<TreeId> Nodes => Enumerable.Range(0, Count).Select(number => new TreeId(number));

    /// <summary>
    /// The first of several entries with one path counts. False if the path is too long or too deep
    /// to be shown.
    /// </summary>
    public bool TryAdd(int version, in EntryInList entry)
    {
        if (Paths.TryAdd(entry.Path) is not TreeId node)
        {
            return false;
        }

        CollectionsMarshal.SetCount(firstStates, Paths.Count);
        ulong content = entry.Hash.Length >= sizeof(ulong) ? BinaryPrimitives.ReadUInt64BigEndian(entry.Hash) : 0;
        AddState(
            node,
            version,
            new EntryVersion(entry.Kind, entry.SizeBytes, entry.LastModified?.UtcTicks ?? 0, content)
        );
        return true;
    }

    /// <summary>A folder may only occur in the paths of others.</summary>
    public bool HasEntry(TreeId node) => FirstStateOf(node) > 0;

    public EntryVersion? Find(TreeId node, int version)
    {
        for (int state = FirstStateOf(node); state > 0; state = states[state].Next)
        {
            ref NodeState found = ref StateAt(state);
            if (found.Newest <= version && version <= found.Oldest)
            {
                return found.Entry;
            }
        }

        return null;
    }

    /// <summary>The states of a path, newest first.</summary>
    public List<NodeState> StatesOf(TreeId node)
    {
        List<NodeState> found = [];
        for (int state = FirstStateOf(node); state > 0; state = states[state].Next)
        {
            found.Add(states[state]);
        }

        found.Sort((left, right) => left.Newest.CompareTo(right.Newest));
        return found;
    }

    public string Name(TreeId node) => Encoding.UTF8.GetString(Paths.NameOf(node));

    private int FirstStateOf(TreeId node) => node.Number < firstStates.Count ? firstStates[node.Number] : 0;

    private ref NodeState StateAt(int state) => ref CollectionsMarshal.AsSpan(states)[state];

    private void AddState(TreeId node, int version, EntryVersion entry)
    {
        if (Find(node, version) is not null)
        {
            return;
        }

        for (int state = FirstStateOf(node); state > 0; state = states[state].Next)
        {
            ref NodeState known = ref StateAt(state);
            if (known.Entry == entry && (known.Newest == version + 1 || known.Oldest == version - 1))
            {
                (known.Newest, known.Oldest) = (Math.Min(known.Newest, version), Math.Max(known.Oldest, version));
                return;
            }
        }

        states.Add(new NodeState(FirstStateOf(node), version, version, entry));
        firstStates[node.Number] = states.Count - 1;
    }
}
