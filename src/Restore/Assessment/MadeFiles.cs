namespace Restore.Assessment;

/// <summary>
/// Which files programs make again, by their types and folders; each is decided once.
/// </summary>
internal sealed class MadeFiles(FileTable table)
{
    private readonly Dictionary<int, bool> folders = [];
    private readonly List<TypeGroup> groups = [];
    private int rootLength;

    /// <summary>
    /// Finds the folder that all files are in: its names say nothing about some of them, such as
    /// those of a backup of <c>/tmp/work</c> alone.
    /// </summary>
    public void FindRoot()
    {
        if (table.FolderCount == 0)
        {
            return;
        }

        ReadOnlySpan<byte> common = table.FolderPath(0);
        for (int folder = 1; folder < table.FolderCount && common.Length > 0; folder++)
        {
            common = common[..common.CommonPrefixLength(table.FolderPath(folder))];
        }

        int length = common.LastIndexOfAny((byte)'/', (byte)'\\') + 1;
        if (length != rootLength)
        {
            rootLength = length;
            folders.Clear();
        }
    }

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
            isMade = FileTypes.IsMadeFolder(table.FolderPath(folder)[rootLength..]);
        }

        return isMade;
    }
}
