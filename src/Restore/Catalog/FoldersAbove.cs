namespace Restore.Catalog;

/// <summary>
/// The folders above the selected entries of a version. They are not selected, but a restore
/// creates them. With another mode than the recorded one, they could open everything below them to
/// everyone.
/// </summary>
internal sealed class FoldersAbove(VersionContent content)
{
    // Folders of the list that are not selected. Which of them are above a selected entry is known
    // at the end of the list.
    private readonly VersionContent others = new(content.Version, content.Layout);
    private VersionContentBuilder? builder;

    /// <summary>Takes note of a folder that is not selected.</summary>
    public void Note(in FileListEntry folder) =>
        (builder ??= new VersionContentBuilder(others, EntryFilter.All, observer: null)).Entry(folder);

    /// <summary>
    /// Takes note of a folder of a version that is joined with others. Of several with one path the
    /// first counts.
    /// </summary>
    public void Note(VersionContent from, EntryId folder)
    {
        byte[] buffer = [];
        EntryRow row = from.Entries[folder];
        others.AddEntry(
            from.PathOf(folder, ref buffer),
            row.Kind,
            ContentId.None,
            others.AddCopy(from, row.Metadata),
            row.TimeTicks
        );
        others.Spans.Add(VersionRange.Of(from.Version));
    }

    /// <summary>
    /// Adds the folders that are above an entry of the content, after its entries.
    /// </summary>
    public void AddToContent()
    {
        HashSet<string> keys = KeysOf(content);
        content.EndSelection();
        HashSet<string> added = new(StringComparer.Ordinal);
        byte[] buffer = [];
        foreach (EntryId entry in EntryId.UpTo(others.Entries.Count))
        {
            ReadOnlySpan<byte> path = others.PathOf(entry, ref buffer);
            if (keys.Contains(KeyOf(path)) && added.Add(others.PathText(entry)))
            {
                EntryRow row = others.Entries[entry];
                content.AddEntry(
                    path,
                    EntryKind.Folder,
                    ContentId.None,
                    content.AddCopy(others, row.Metadata),
                    row.TimeTicks
                );
                if (others.VersionsOf(entry) is VersionRange versions)
                {
                    content.Spans.Add(versions);
                }
            }
        }

        content.Issues.AddRange(others.Issues.Where(issue => added.Contains(issue.Path)));
    }

    /// <summary>The keys of all folders above the entries of a content.</summary>
    public static HashSet<string> KeysOf(VersionContent content)
    {
        HashSet<string> keys = new(StringComparer.Ordinal);
        byte[] buffer = [];
        int last = -1;
        foreach (EntryId entry in EntryId.UpTo(content.Entries.Count))
        {
            // The entries of a folder follow each other.
            if (content.Entries[entry].Folder == last)
            {
                continue;
            }

            last = content.Entries[entry].Folder;
            string key = KeyAbove(KeyOf(content.PathOf(entry, ref buffer)));
            while (keys.Add(key) && key.Length > 0)
            {
                key = KeyAbove(key);
            }
        }

        return keys;
    }

    /// <summary>The path of a folder without the separator at its end, byte by byte.</summary>
    public static string KeyOf(ReadOnlySpan<byte> path) =>
        Encoding.Latin1.GetString(path.TrimEnd(path is [(byte)'/', ..] ? "/"u8 : "\\/"u8));

    private static string KeyAbove(string key) =>
        key[..Math.Max(0, key.StartsWith('/') ? key.LastIndexOf('/') : key.AsSpan().LastIndexOfAny('/', '\\'))];
}
