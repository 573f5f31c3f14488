namespace Restore.Memory;

/// <summary>
/// Whole paths, numbered from 0 in the order of arrival. Each path is a folder and a name in it;
/// the text of the folder is stored once.
/// </summary>
internal sealed class PathSet
{
    private readonly PathTable folders = new();
    private readonly PathTable names = new();
    private int lastFolder = -1;

    public bool TryFind(ReadOnlySpan<byte> path, int folderLength, out int number)
    {
        number = -1;
        return TryFindFolder(path[..folderLength], out int folder)
            && names.TryFind(folder, path[folderLength..], out number);
    }

    public bool TryAdd(ReadOnlySpan<byte> path, int folderLength, out int number)
    {
        if (!TryFindFolder(path[..folderLength], out int folder))
        {
            folders.TryAdd(0, path[..folderLength], out folder);
            lastFolder = folder;
        }

        return names.TryAdd(folder, path[folderLength..], out number);
    }

    /// <summary>Whether a path has this number, without a look-up.</summary>
    public bool Is(int number, ReadOnlySpan<byte> path, int folderLength) =>
        names.NameOf(number).SequenceEqual(path[folderLength..])
        && folders.NameOf(FolderOf(number)).SequenceEqual(path[..folderLength]);

    public int FolderCount => folders.Count;

    public int FolderOf(int number) => names.ParentOf(number);

    public ReadOnlySpan<byte> NameOf(int number) => names.NameOf(number);

    /// <summary>The path of a folder by its number.</summary>
    public ReadOnlySpan<byte> FolderPath(int folder) => folders.NameOf(folder);

    public byte[] PathOf(int number) => [.. folders.NameOf(FolderOf(number)), .. names.NameOf(number)];

    /// <summary>
    /// Lists are sorted by path, so most entries lie in the folder of the entry before.
    /// </summary>
    private bool TryFindFolder(ReadOnlySpan<byte> folder, out int number)
    {
        number = lastFolder;
        if (lastFolder >= 0 && folders.NameOf(lastFolder).SequenceEqual(folder))
        {
            return true;
        }

        bool isKnown = folders.TryFind(0, folder, out number);
        lastFolder = isKnown ? number : lastFolder;
        return isKnown;
    }
}
