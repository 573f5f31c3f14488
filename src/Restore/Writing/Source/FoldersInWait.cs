namespace Restore.Writing.Source;

/// <summary>
/// Folders that are taken only once something in them is: a backup without empty folders. Not safe
/// for concurrent use.
/// </summary>
internal sealed class FoldersInWait
{
    private readonly Dictionary<string, SourceEntry> waiting = new(StringComparer.Ordinal);

    /// <summary>The folders in which nothing was taken.</summary>
    public IReadOnlyCollection<SourceEntry> Left => waiting.Values;

    public void Add(in SourceEntry folder) => waiting.Add(folder.Path, folder);

    /// <summary>
    /// Takes out the folders above an entry that wait, and for a folder itself too, the highest
    /// first.
    /// </summary>
    public IEnumerable<SourceEntry> Release(string path)
    {
        if (waiting.Count == 0)
        {
            return [];
        }

        // A folder between two others can be left out by a filter, so the way leads to the root.
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
