namespace Restore.Browse;

/// <summary>
/// The path of a folder ends with a separator. The content is null for a folder that the list does
/// not have itself.
/// </summary>
internal sealed record ServedEntry(BackupVersion Version, TreeId Node, string Path, EntryVersion? Content)
{
    public bool IsFolder => Content is not { Kind: not BackupEntryKind.Folder };

    public string Name => EntryPath.NameOf(Path) is { Length: > 0 } name ? name : "backup";

    public string Tag => $"\"{Content?.Content ?? 0:x16}-{Content?.SizeBytes ?? 0:x}-{Content?.TimeTicks ?? 0:x}\"";

    public static async Task<ServedEntry> FindAsync(BrowseSession session, BrowseCall call)
    {
        BackupVersion version = call.Version(session.Backup);
        TreeId node = new(call.Number("id"));
        await session.Lists.ReadAsync(version, call.Aborted).ConfigureAwait(false);
        return Find(session, version, node)
            ?? throw new CallException(CallStatus.NotFound, $"Version {version.Index} has no such entry");
    }

    /// <summary>Null if the version does not have it. Its list must be read.</summary>
    public static ServedEntry? Find(BrowseSession session, BackupVersion version, TreeId node)
    {
        EntryIndex tree = session.Tree;
        lock (tree.Gate)
        {
            if (node.Number < 0 || !session.Views.Of(version.Index).Has(node))
            {
                return null;
            }

            EntryVersion? content = tree.Find(node, version.Index);
            string path = tree.Paths.PathOf(node);
            bool isFolder = content is not { Kind: not BackupEntryKind.Folder };
            char separator = tree.Paths.SeparatorOf(node);
            return new ServedEntry(
                version,
                node,
                isFolder && !path.EndsWith(separator) ? path + separator : path,
                content
            );
        }
    }

    public EntryFilter Filter() => EntryFilter.OfEntries(Path);

    /// <summary>The entry, and what is in it, as an archive whose paths begin with its name.</summary>
    public ExportOptions ToArchive() => new() { Filter = Filter(), ArchiveRoot = EntryPath.FolderOf(Path) };
}
