namespace Restore.Format.Selection;

/// <summary>
/// Plain paths, folders and names; some look-ups for a path, whatever their number.
/// </summary>
internal sealed class PlainPattern(IReadOnlyCollection<PlainPath> all, bool ofWindows, bool caseSensitive) : PathPattern
{
    private readonly PlainSet paths = new(all, PlainKind.Path, caseSensitive);
    private readonly PlainSet folders = new(all, PlainKind.Folder, caseSensitive);
    private readonly PlainSet names = new(all, PlainKind.Name, caseSensitive);
    private readonly PlainSet folderNames = new(all, PlainKind.FolderName, caseSensitive);
    private readonly PlainSet belowNames = new(all, PlainKind.BelowFolderName, caseSensitive);

    public override bool IsMatch(ReadOnlySpan<char> path) =>
        paths.Contains(path)
        || IsInFolder(path)
        || HasName(path)
        || IsOfFolderName(path, '/')
        || IsOfFolderName(path, '\\');

    private bool IsInFolder(ReadOnlySpan<char> path)
    {
        // Looks up each folder above the path, instead of comparing the path with each folder of
        // the set.
        for (int end = 0; !folders.IsEmpty && path[end..].IndexOfAny(Separators) is int next and >= 0; )
        {
            end += next + 1;
            if (folders.Contains(path[..end]))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>
    /// Only what stands between two separators is the name of a folder: the first part of a path is
    /// where the backup begins.
    /// </summary>
    private bool IsOfFolderName(ReadOnlySpan<char> path, char separator)
    {
        int end = folderNames.IsEmpty && belowNames.IsEmpty ? -1 : path.IndexOf(separator);
        while (end >= 0 && path[(end + 1)..].IndexOf(separator) is int length and >= 0)
        {
            ReadOnlySpan<char> name = path.Slice(end + 1, length + 1);
            end += length + 1;
            if (belowNames.Contains(name) || (end == path.Length - 1 && folderNames.Contains(name)))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>In a path that is not of Windows a name can have a backslash.</summary>
    private bool HasName(ReadOnlySpan<char> path) =>
        !names.IsEmpty
        && path.LastIndexOfAny('/', ofWindows ? '\\' : '/') is int last and >= 0
        && names.Contains(path[(last + 1)..]);
}
