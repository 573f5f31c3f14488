namespace Restore.Assessment;

/// <summary>Pairs files that are gone with new files of their names behind the same few letters.</summary>
internal sealed class NewPrefixes(FileTable table, NameKeys keys)
{
    // A longer one is no mark.
    private const int MostBytes = 40;
    private const int LeastPairs = 3;

    // Of a file without name and dot anything is the end.
    private const int LeastName = 4;

    /// <param name="names">The files that are gone, by the keys of their names in their folders.</param>
    /// <param name="matched">Files that belong to others already.</param>
    /// <returns>The pairs by what is before the names.</returns>
    public IEnumerable<(string Prefix, List<NamePair> Pairs)> Find(
        Dictionary<ulong, int> names,
        List<int> gained,
        HashSet<int> matched
    )
    {
        Dictionary<string, List<NamePair>> found = new(StringComparer.Ordinal);
        foreach (int row in gained)
        {
            if (!matched.Contains(row) && TryFind(names, row, out int old, out int length) && !matched.Contains(old))
            {
                string prefix = Encoding.UTF8.GetString(table.NameOf(row)[..length]);
                (CollectionsMarshal.GetValueRefOrAddDefault(found, prefix, out _) ??= []).Add(
                    new NamePair(old, row, IsAppended: false)
                );
            }
        }

        return found.Where(one => one.Value.Count >= LeastPairs).Select(one => (one.Key, one.Value));
    }

    private bool TryFind(Dictionary<ulong, int> names, int row, out int old, out int length)
    {
        ReadOnlySpan<byte> name = table.NameOf(row);
        int folder = table.FolderOf(row);
        for (length = 1; length <= Math.Min(MostBytes, name.Length - LeastName); length++)
        {
            if (names.TryGetValue(keys.Of(folder, name[length..]), out old))
            {
                return true;
            }
        }

        old = -1;
        return false;
    }
}
