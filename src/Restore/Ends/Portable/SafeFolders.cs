using Restore.Ends.Unix;

namespace Restore.Ends.Portable;

/// <summary>
/// Checks that folders of the target are real folders all the way from the root, and creates them.
/// A checked folder is remembered, so a later exchange of the folder for a link is not noticed.
/// Safe for concurrent use.
/// </summary>
/// <param name="root">The root, trusted.</param>
/// <param name="maxRemembered">Limit of remembered folders: about a megabyte of paths. Further
/// folders are checked each time.</param>
internal sealed class SafeFolders(PathRoot root, int maxRemembered = 4096)
{
    private readonly ConcurrentDictionary<string, byte> real = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, byte> unfinished = new(StringComparer.Ordinal);

    /// <summary>The folders that were created and are not finished, and forgets them.</summary>
    public IReadOnlyList<string> TakeUnfinished()
    {
        string[] paths = [.. unfinished.Keys];
        unfinished.Clear();
        return paths;
    }

    public bool IsUnfinished(string folder) => unfinished.ContainsKey(folder);

    /// <summary>Takes note that a folder is finished.</summary>
    public void SetFinished(string folder) => unfinished.TryRemove(folder, out _);

    /// <summary>Whether the root was there, so that it is gone if it no longer is.</summary>
    public bool HasRoot => real.ContainsKey("");

    /// <summary>
    /// What is at the path of the folder: a folder, nothing (it or a parent is missing), or what is
    /// in the way of it or of a parent.
    /// </summary>
    public TargetKind Look(string folder)
    {
        for (int end = 0; end >= 0; end = NextEnd(folder, end))
        {
            string path = folder[..end];
            TargetKind kind = real.ContainsKey(path) ? TargetKind.Folder : LookAt(path);
            if (kind != TargetKind.Folder)
            {
                return kind;
            }

            Remember(path);
        }

        return TargetKind.Folder;
    }

    /// <summary>Creates the folder and its parents.</summary>
    /// <returns>What is there afterwards: a folder, or what is in the way.</returns>
    public TargetKind Create(string folder)
    {
        if (Look(folder) is var found && found != TargetKind.Nothing)
        {
            return found;
        }

        if (!HasRoot)
        {
            RootFolder.Create(root.Path);
        }

        for (int end = NextEnd(folder, 0); end >= 0; end = NextEnd(folder, end))
        {
            string path = folder[..end];
            if (LookAt(path) == TargetKind.Nothing)
            {
                CreateOne(path);
            }

            // Checks again even after creating the folder: another process may have put a link
            // there.
            TargetKind kind = LookAt(path);
            if (kind != TargetKind.Folder)
            {
                return kind;
            }

            Remember(path);
        }

        return TargetKind.Folder;
    }

    private void CreateOne(string path)
    {
        if (root.FixedLength(path) == path.Length)
        {
            throw new IOException(Windows.NoRoot);
        }

        string fullPath = root.FullPath(path);
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(fullPath);
            unfinished.TryAdd(path, 0);
            return;
        }

        // Some systems leave the mark out of a new folder, and let it be set.
        Directory.CreateDirectory(fullPath, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        File.SetUnixFileMode(fullPath, (UnixFileMode)NewModes.UnfinishedFolder);
        unfinished.TryAdd(path, 0);
    }

    /// <summary>The user's own path to the root may contain links.</summary>
    private TargetKind LookAt(string path)
    {
        if (path.Length > 0 && root.FixedLength(path) < path.Length)
        {
            return PortableLook.At(root.FullPath(path)).Kind;
        }

        return root.Exists(path) ? TargetKind.Folder : TargetKind.Nothing;
    }

    private void Remember(string path)
    {
        if (real.Count >= maxRemembered)
        {
            real.Clear();
        }

        real.TryAdd(path, 0);
    }

    /// <summary>Where the next longer path ends; -1 after the whole path.</summary>
    private static int NextEnd(string folder, int end)
    {
        if (end >= folder.Length)
        {
            return -1;
        }

        int next = folder.IndexOf('/', end == 0 ? 0 : end + 1);
        return next < 0 ? folder.Length : next;
    }
}
