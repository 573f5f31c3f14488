namespace Restore.FaultMount;

/// <summary>
/// The entries that the kernel knows, each with a path-only handle: so a renamed or removed entry
/// is still the same one.
/// </summary>
internal sealed class Nodes
{
    public const ulong Root = 1;

    private readonly Dictionary<ulong, Node> nodes = [];
    private readonly Dictionary<(ulong Device, ulong Inode), ulong> ids = [];
    private ulong last = Root;

    /// <summary>The handle of an entry.</summary>
    public int this[ulong id] => nodes[id].Handle;

    /// <summary>A path by which calls without a handle reach the entry.</summary>
    public string PathOf(ulong id) => $"/proc/self/fd/{nodes[id].Handle}";

    public void SetRoot(int handle) => nodes[Root] = new Node(handle, default);

    /// <summary>Takes over a handle, and counts a look-up.</summary>
    public ulong Add(int handle, (ulong Device, ulong Inode) identity)
    {
        if (ids.TryGetValue(identity, out ulong id))
        {
            _ = Libc.Close(handle);
        }
        else
        {
            id = ++last;
            ids[identity] = id;
            nodes[id] = new Node(handle, identity);
        }

        nodes[id].Lookups++;
        return id;
    }

    public void Forget(ulong id, ulong lookups)
    {
        if (id != Root && nodes.TryGetValue(id, out Node? node) && (node.Lookups -= lookups) == 0)
        {
            _ = Libc.Close(node.Handle);
            nodes.Remove(id);
            ids.Remove(node.Identity);
        }
    }

    private sealed class Node(int handle, (ulong Device, ulong Inode) identity)
    {
        public int Handle => handle;

        public (ulong Device, ulong Inode) Identity => identity;

        public ulong Lookups { get; set; }
    }
}
