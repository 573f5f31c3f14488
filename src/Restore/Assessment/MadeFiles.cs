namespace Restore.Assessment;

/// <summary>
/// Which files programs make again, by their types and folders; each is decided once.
/// </summary>
internal sealed class MadeFiles(FileTable table)
{
    private readonly Dictionary<int, bool> folders = [];
    private readonly List<TypeGroup> groups = [];

    public bool Is(int row) => GroupOf(table[row].Type) == TypeGroup.Made || IsFolder(table.FolderOf(row));

    public TypeGroup GroupOf(int type)
    {
        while (groups.Count <= type)
        {
            groups.Add(FileTypes.GroupOf(table.TypeName(groups.Count)));
        }

        return groups[type];
    }

    private bool IsFolder(int folder)
    {
        ref bool isMade = ref CollectionsMarshal.GetValueRefOrAddDefault(folders, folder, out bool isKnown);
        if (!isKnown)
        {
            isMade = FileTypes.IsMadeFolder(table.FolderPath(folder));
        }

        return isMade;
    }
}
