using Restore.Ends.Unix;

namespace Restore.Ends.Linux;

/// <summary>
/// The most recently used open folders below a root. A path is resolved from the nearest folder
/// that is open already, never through a link: by one openat2 if the kernel has it, else name by
/// name. A handle in use is never closed. Safe for concurrent use.
/// </summary>
internal sealed class FolderCache : IDisposable
{
    private readonly Lock gate = new();
    private readonly Dictionary<string, LinkedListNode<Folder>> open = new(StringComparer.Ordinal);
    private readonly LinkedList<Folder> byUse = new();
    private readonly HashSet<string> unfinished = new(StringComparer.Ordinal);
    private readonly Folder root;
    private readonly bool useOpenAt2;
    private readonly int capacity;
    private readonly FileSystems fileSystems;
    private readonly OpenedFolders? opened;
    private bool isClosed;

    /// <param name="rootHandle">Handle of the root; the cache closes it.</param>
    /// <param name="opened">Opens folders that are closed to their owner; null to leave them
    /// closed.</param>
    public FolderCache(
        int rootHandle,
        bool useOpenAt2,
        int capacity,
        FileSystems fileSystems,
        OpenedFolders? opened = null
    )
    {
        this.opened = opened;
        this.fileSystems = fileSystems;
        fileSystems.Add(rootHandle);
        root = new Folder(this, "", rootHandle);
        this.capacity = capacity;
        this.useOpenAt2 = useOpenAt2 && Kernel.HasOpenAt2(rootHandle);
    }

    public int RootHandle => root.Handle;

    /// <summary>
    /// Opens a folder for use; null with the error number if that fails. If no handle is free,
    /// handles that are only kept for reuse are closed first.
    /// </summary>
    public Folder? Open(ReadOnlySpan<char> path, bool create, out int error)
    {
        Folder? folder = OpenOnce(path, create, out error);
        return error is Errno.TooManyOpen or Errno.TooManyInSystem && CloseUnused()
            ? OpenOnce(path, create, out error)
            : folder;
    }

    /// <summary>Lets the owner of a folder change the names in it.</summary>
    public void LetChange(Folder folder)
    {
        if (opened is not null && !folder.MayChange)
        {
            opened.Open(folder.Handle, folder.Path, toChange: true);
            folder.MayChange = true;
        }
    }

    /// <summary>Lets the owner of a folder look into it.</summary>
    private Folder LetLook(Folder folder)
    {
        if (opened is not null && !folder.MayLook)
        {
            opened.Open(folder.Handle, folder.Path, toChange: false);
            folder.MayLook = true;
        }

        return folder;
    }

    /// <summary>Closes the handles that are not in use.</summary>
    public bool CloseUnused()
    {
        List<Folder> unused = [];
        lock (gate)
        {
            for (LinkedListNode<Folder>? node = byUse.First; node is not null; )
            {
                LinkedListNode<Folder>? next = node.Next;
                if (node.Value.Users == 0)
                {
                    unused.Add(node.Value);
                    open.Remove(node.Value.Path);
                    byUse.Remove(node);
                }

                node = next;
            }
        }

        unused.ForEach(folder => _ = Kernel.Close(folder.Handle));
        return unused.Count > 0;
    }

    private Folder? OpenOnce(ReadOnlySpan<char> path, bool create, out int error)
    {
        error = 0;
        Folder nearest = LetLook(UseNearest(path));
        if (nearest.Path.Length == path.Length)
        {
            return nearest;
        }

        ReadOnlySpan<char> rest = path[(nearest.Path.Length == 0 ? 0 : nearest.Path.Length + 1)..];
        if (!useOpenAt2)
        {
            return Walk(nearest, rest, create, out error);
        }

        int handle = Kernel.OpenFolderBeneath(
            nearest.Handle,
            NativeText.Encode(rest, stackalloc byte[NativeText.PathBytes])
        );
        if (
            handle == -Errno.TryAgain
            || (handle == -Errno.NoEntry && create)
            || (handle == -Errno.AccessDenied && opened is not null)
        )
        {
            return Walk(nearest, rest, create, out error);
        }

        nearest.Dispose();
        error = handle < 0 ? -handle : 0;
        return handle < 0 ? null : LetLook(Keep(path.ToString(), handle));
    }

    public int Create(Folder parent, ReadOnlySpan<byte> name, string path)
    {
        int made = Kernel.CreateFolder(parent.Handle, name, NewModes.UnfinishedFolder);
        if (made >= 0)
        {
            lock (gate)
            {
                unfinished.Add(path);
            }
        }

        return made;
    }

    /// <summary>The folders that were created and are not finished, and forgets them.</summary>
    public IReadOnlyList<string> TakeUnfinished()
    {
        lock (gate)
        {
            string[] paths = [.. unfinished];
            unfinished.Clear();
            return paths;
        }
    }

    public bool IsUnfinished(string path)
    {
        lock (gate)
        {
            return unfinished.Contains(path);
        }
    }

    public void SetFinished(string path)
    {
        lock (gate)
        {
            unfinished.Remove(path);
            Folder? folder = path.Length == 0 ? root : open.GetValueOrDefault(path)?.Value;
            if (folder is not null)
            {
                // Its mode can be another one now.
                (folder.MayLook, folder.MayChange) = (false, false);
            }
        }
    }

    /// <summary>Begins another use of a folder that is in use.</summary>
    public Folder Use(Folder folder)
    {
        lock (gate)
        {
            folder.Users++;
            return folder;
        }
    }

    public void EndUse(Folder folder)
    {
        if (folder == root)
        {
            return;
        }

        bool isLast;
        lock (gate)
        {
            folder.Users--;
            isLast = folder.IsEvicted && folder.Users == 0;
        }

        if (isLast)
        {
            _ = Kernel.Close(folder.Handle);
        }
    }

    public void Dispose()
    {
        lock (gate)
        {
            foreach (Folder folder in byUse)
            {
                _ = Kernel.Close(folder.Handle);
            }

            byUse.Clear();
            open.Clear();
            if (!isClosed)
            {
                // A second time, the number may belong to another file.
                isClosed = true;
                _ = Kernel.Close(root.Handle);
            }
        }
    }

    private Folder UseNearest(ReadOnlySpan<char> path)
    {
        lock (gate)
        {
            var open = this.open.GetAlternateLookup<ReadOnlySpan<char>>();
            while (path.Length > 0)
            {
                if (open.TryGetValue(path, out LinkedListNode<Folder>? node))
                {
                    return Use(node);
                }

                path = path[..Math.Max(path.LastIndexOf('/'), 0)];
            }

            return root;
        }
    }

    private Folder Use(LinkedListNode<Folder> node)
    {
        node.Value.Users++;
        if (node != byUse.First)
        {
            byUse.Remove(node);
            byUse.AddFirst(node);
        }

        return node.Value;
    }

    /// <summary>Descends name by name; takes over the use of <paramref name="current"/>.</summary>
    private Folder? Walk(Folder current, ReadOnlySpan<char> rest, bool create, out int error)
    {
        error = 0;
        Span<byte> buffer = stackalloc byte[NativeText.NameBytes];
        while (rest.Length > 0)
        {
            int end = rest.IndexOf('/');
            ReadOnlySpan<char> name = end < 0 ? rest : rest[..end];
            rest = end < 0 ? default : rest[(end + 1)..];

            using Folder parent = current;
            string path = parent.Path.Length == 0 ? name.ToString() : $"{parent.Path}/{name}";
            int handle = Step(parent, NativeText.Encode(name, buffer), path, create);
            if (handle < 0)
            {
                error = -handle;
                return null;
            }

            current = LetLook(Keep(path, handle));
        }

        return current;
    }

    private int Step(Folder parent, ReadOnlySpan<byte> name, string path, bool create)
    {
        int handle = Kernel.OpenFolder(parent.Handle, name);
        if (handle != -Errno.NoEntry || !create)
        {
            return handle;
        }

        LetChange(parent);
        int made = Create(parent, name, path);
        return made < 0 && made != -Errno.Exists ? made : Kernel.OpenFolder(parent.Handle, name);
    }

    /// <summary>
    /// Adds a handle to the cache for use, or uses the one that another thread has added meanwhile.
    /// </summary>
    private Folder Keep(string path, int handle)
    {
        int surplus;
        Folder result;
        fileSystems.Add(handle);
        lock (gate)
        {
            if (open.TryGetValue(path, out LinkedListNode<Folder>? node))
            {
                surplus = handle;
                result = Use(node);
            }
            else
            {
                result = new Folder(this, path, handle) { Users = 1 };
                open.Add(path, byUse.AddFirst(result));
                surplus = byUse.Count > capacity ? Evict() : -1;
            }
        }

        if (surplus >= 0)
        {
            _ = Kernel.Close(surplus);
        }

        return result;
    }

    /// <summary>Drops the least recently used folder.</summary>
    /// <returns>Its handle if it can be closed now.</returns>
    private int Evict()
    {
        Folder oldest = byUse.Last!.Value;
        byUse.RemoveLast();
        open.Remove(oldest.Path);
        oldest.IsEvicted = true;
        return oldest.Users == 0 ? oldest.Handle : -1;
    }
}
