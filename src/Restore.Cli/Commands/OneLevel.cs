namespace Restore.Cli.Commands;

/// <summary>
/// The first level of folders, from an enumeration of all that is in them: of the folders that are
/// named, or else of the one in which the data begins, which has all entries. A folder that is only
/// part of a path is an entry too.
/// </summary>
internal sealed class OneLevel(EntryFilter filter)
{
    private readonly NamedFolders named = new(filter);
    private readonly Dictionary<string, BackupEntry> folders = [];
    private readonly SortedDictionary<string, BackupEntry> children = new(StringComparer.Ordinal);
    private string? common;

    public async IAsyncEnumerable<BackupEntry> OfAsync(IAsyncEnumerable<BackupEntry> listed)
    {
        await foreach (var entry in listed)
        {
            var folder = entry.Kind == BackupEntryKind.Folder ? entry.Path : FolderOf(entry.Path);
            if (filter.IsAll)
            {
                Widen(folder);
            }

            if (entry.Kind == BackupEntryKind.Folder)
            {
                folders[entry.Path] = entry;
            }

            var inside = filter.IsAll ? common! : named.Of(entry.Path);

            // A named folder is shown itself only if it is empty.
            if (!filter.IsAll && inside is not null)
            {
                children.Remove(inside);
            }

            if (inside is null || entry.Path.Length > inside.Length)
            {
                var child = inside is null ? entry.Path : ChildOf(inside, entry.Path);

                // A folder can lack an entry of its own, or have it after its content. Until the
                // entry comes, one is made up from the paths below the folder.
                children[child] =
                    child == entry.Path
                        ? entry
                        : folders.GetValueOrDefault(child, new BackupEntry(child, BackupEntryKind.Folder, 0, null));
            }
        }

        // A folder without anything in it, named or alone, is shown itself.
        foreach (var entry in children.Count > 0 ? children.Values : folders.Values.AsEnumerable())
        {
            yield return entry;
        }
    }

    /// <summary>
    /// The common folder becomes one that has the new entry too; then what led to the folder before
    /// is its only child yet.
    /// </summary>
    private void Widen(string folder)
    {
        common ??= folder;
        if (folder.StartsWith(common, StringComparison.Ordinal))
        {
            return;
        }

        var same = common.AsSpan().CommonPrefixLength(folder);
        var (before, end) = (common, EntryPath.FolderLength(common, same));
        common = before[..end];
        children.Clear();

        // Everything so far is below the former folder, so one child stands for all of it.
        var child = ChildOf(common, before);
        children[child] = folders.GetValueOrDefault(child, new BackupEntry(child, BackupEntryKind.Folder, 0, null));
    }

    private static string FolderOf(string path) => path[..EntryPath.FolderLength(path, path.Length)];

    private static string ChildOf(string folder, string path) => path[..EntryPath.EndOfPart(path, folder.Length)];
}
