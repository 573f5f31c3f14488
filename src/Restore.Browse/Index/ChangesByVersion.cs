namespace Restore.Browse.Index;

/// <summary>
/// What changed from version to version, by the lists that were read: one pass over the paths,
/// again when another list was read.
/// </summary>
internal sealed class ChangesByVersion(EntryIndex tree, VersionLists lists)
{
    private VersionChange?[] changes = [];
    private int listsRead;

    /// <summary>
    /// Null until its list and the list of the version before are read. The caller holds the gate
    /// of the tree.
    /// </summary>
    public VersionChange? Of(int version)
    {
        bool[] isRead = [.. lists.Statuses.Select(status => status.State == ListState.Read)];
        if (listsRead != isRead.Count(read => read) || changes.Length == 0)
        {
            listsRead = isRead.Count(read => read);
            changes = Count(isRead);
        }

        return changes[version];
    }

    /// <summary>
    /// What <see cref="Of"/> counts, one by one, in the order of the paths as they were read. The
    /// caller holds the gate of the tree.
    /// </summary>
    public IEnumerable<ChangedFile> FilesOf(int version)
    {
        foreach (TreeId node in tree.Nodes.Where(tree.HasEntry))
        {
            EntryVersion? after = FileIn(node, version);
            EntryVersion? before = FileIn(node, version + 1);
            if (after is EntryVersion now && (before is null || !before.Value.HasContentOf(now)))
            {
                yield return new ChangedFile(
                    node,
                    before is null ? FileChange.Added : FileChange.Changed,
                    now.SizeBytes
                );
            }
            else if (after is null && before is EntryVersion gone)
            {
                yield return new ChangedFile(node, FileChange.Removed, gone.SizeBytes);
            }
        }
    }

    private EntryVersion? FileIn(TreeId node, int version) =>
        tree.Find(node, version) is { Kind: not BackupEntryKind.Folder } entry ? entry : null;

    private VersionChange?[] Count(bool[] isRead)
    {
        VersionChange?[] found =
        [
            .. isRead.Select(
                (read, version) =>
                    read && version + 1 < isRead.Length && isRead[version + 1] ? new VersionChange(0, 0, 0, 0, 0) : null
            ),
        ];
        foreach (TreeId node in listsRead > 1 ? tree.Nodes.Where(tree.HasEntry) : [])
        {
            foreach (NodeState state in tree.StatesOf(node).Where(state => state.Entry.Kind != BackupEntryKind.Folder))
            {
                Count(found, node, state);
            }
        }

        return found;
    }

    private void Count(VersionChange?[] found, TreeId node, in NodeState state)
    {
        if (found[state.Oldest] is VersionChange first)
        {
            EntryVersion? before = tree.Find(node, state.Oldest + 1);
            bool isNew = before is null or { Kind: BackupEntryKind.Folder };
            bool isChanged = !isNew && !before!.Value.HasContentOf(state.Entry);
            found[state.Oldest] = first with
            {
                Added = first.Added + (isNew ? 1 : 0),
                Changed = first.Changed + (isChanged ? 1 : 0),
                BytesNew = VersionViews.Add(first.BytesNew, isNew || isChanged ? state.Entry.SizeBytes : 0),
            };
        }

        if (
            state.Newest > 0
            && found[state.Newest - 1] is VersionChange after
            && tree.Find(node, state.Newest - 1) is null or { Kind: BackupEntryKind.Folder }
        )
        {
            found[state.Newest - 1] = after with
            {
                Removed = after.Removed + 1,
                BytesGone = VersionViews.Add(after.BytesGone, state.Entry.SizeBytes),
            };
        }
    }
}
