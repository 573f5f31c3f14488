namespace Restore.Writing.Source;

/// <summary>
/// Folders that are taken only when something in them is taken, for a backup without empty folders.
/// Not safe for concurrent use.
/// </summary>
internal sealed class FoldersInWait
{
    private readonly Dictionary<string, SourceEntry> waiting = new(StringComparer.Ordinal);

    /// <summary>The folders in which nothing was taken.</summary>
    public IReadOnlyCollection<SourceEntry> Left => waiting.Values;

    public void Add(in SourceEntry folder) => waiting.Add(folder.Path, folder);

    /// <summary>
    /// Takes out the waiting folders above an entry, the highest first. If the entry is a folder
    /// that waits, it is included.
    /// </summary>
    public IEnumerable<SourceEntry> Release(string path)
    {
        if (waiting.Count == 0)
        {
            return [];
        }

        // A filter can leave out a folder between two others, so the search continues up to the
        // root.
        Stack<SourceEntry> released = new();
        for (string? folder = path; folder is not null; folder = Path.GetDirectoryName(folder))
        {
            if (waiting.Remove(folder, out SourceEntry entry))
            {
                released.Push(entry);
            }
        }

        return released;
    }

    public void Clear() => waiting.Clear();
}
