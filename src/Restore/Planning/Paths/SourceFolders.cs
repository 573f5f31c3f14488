namespace Restore.Planning.Paths;

/// <summary>
/// The folders of a version that have no folder of the version above them: the sources, and the
/// parents of sources. What is below them is the backup's to say; what they stand in is this
/// machine's. Not safe for concurrent use.
/// </summary>
internal sealed class SourceFolders
{
    // More than any job has. A hostile list could have a million.
    private const int Most = 10_000;

    private readonly Dictionary<string, Folder> folders = new(StringComparer.Ordinal);

    // Links, and files whose path also is the path of a folder: nothing is looked for behind them.
    private readonly HashSet<string> others = new(StringComparer.Ordinal);

    private byte[] lastPath = [];
    private Folder? last;
    private bool isTooMany;

    /// <summary>Adds an entry of the version with an absolute path of Unix.</summary>
    public void Observe(ReadOnlySpan<byte> path, EntryKind kind, bool isSelected)
    {
        if (isTooMany || path is not [(byte)'/', ..])
        {
            return;
        }

        path = path.TrimEnd((byte)'/');
        if (last is not null && IsBelowLast(path))
        {
            last.IsSelected |= isSelected;
            return;
        }

        string text = Encoding.UTF8.GetString(path);
        if (FolderAbove(text) is not { } found)
        {
            found = kind == EntryKind.Folder ? text : ParentOf(text);
            if (kind == EntryKind.Symlink || (kind.IsFile() && folders.ContainsKey(text)))
            {
                others.Add(text);
            }
        }

        if (!folders.TryGetValue(found, out Folder? folder))
        {
            folder = new Folder();
            folders.Add(found, folder);
        }

        folder.IsEntry |= kind == EntryKind.Folder && found == text;
        folder.IsSelected |= isSelected;
        lastPath = Encoding.UTF8.GetBytes(found);
        last = folder;
        isTooMany = folders.Count + others.Count > Most;
    }

    /// <summary>
    /// The folders with something to restore in them, or that are to be restored themselves: their
    /// paths, without a separator at the end.
    /// </summary>
    public IEnumerable<string> Selected() =>
        isTooMany
            ? []
            : folders
                .Where(folder =>
                    folder.Value.IsSelected
                    && folder.Key.Length > 0
                    && !others.Contains(folder.Key)
                    && FolderAbove(folder.Key) is null
                    && !Above(folder.Key).Any(others.Contains)
                )
                .Select(folder => folder.Key)
                .Order(StringComparer.Ordinal);

    /// <summary>Whether the entry adds nothing: the usual case, because lists are in order.</summary>
    private bool IsBelowLast(ReadOnlySpan<byte> path) =>
        last!.IsEntry
        && path.Length > lastPath.Length
        && path[lastPath.Length] == (byte)'/'
        && path.StartsWith(lastPath);

    private string? FolderAbove(string path) =>
        Above(path).FirstOrDefault(above => folders.TryGetValue(above, out Folder? folder) && folder.IsEntry);

    private static IEnumerable<string> Above(string path)
    {
        while (path.Length > 0)
        {
            path = ParentOf(path);
            yield return path;
        }
    }

    private static string ParentOf(string path) => path[..Math.Max(path.LastIndexOf('/'), 0)];

    private sealed class Folder
    {
        /// <summary>Whether the version has an entry for it.</summary>
        public bool IsEntry { get; set; }

        public bool IsSelected { get; set; }
    }
}
