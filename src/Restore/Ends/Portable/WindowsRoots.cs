namespace Restore.Ends.Portable;

/// <summary>
/// The drives and shares of Windows as folders of one target, for a restore to the original places.
/// Its root is <c>\\?\</c>, which is no folder of the system, and target paths begin with
/// <c>C:/</c> or <c>UNC/server/share/</c>.
/// </summary>
internal sealed class WindowsRoots() : PathRoot(Root)
{
    /// <summary>The root of that target.</summary>
    public const string Root = @"\\?\";

    private const string Shares = "UNC";

    public override bool IsFolder => false;

    public override int FixedLength(string path) => LengthOf(path);

    public override bool Exists(string path) => !IsDriveOrShare(path) || base.Exists(path);

    /// <summary>
    /// Characters at the start of a target path that name a drive or a share, or a part of one
    /// (<c>UNC</c>, <c>UNC/server</c>); 0 if there are none. They are not names of a folder that
    /// could be looked at or created.
    /// </summary>
    public static int LengthOf(string path)
    {
        if (path.Length >= 2 && char.IsAsciiLetter(path[0]) && path[1] == ':' && (path.Length == 2 || path[2] == '/'))
        {
            return 2;
        }

        bool isShare =
            path.StartsWith(Shares, StringComparison.Ordinal)
            && (path.Length == Shares.Length || path[Shares.Length] == '/');
        return isShare ? EndOfName(path, EndOfName(path, Shares.Length)) : 0;
    }

    /// <summary>
    /// Whether the path is a drive or a whole share, which exists or not, but cannot be created.
    /// </summary>
    public static bool IsDriveOrShare(string path) =>
        LengthOf(path) == path.Length && (path.Length == 2 || path.Count(character => character == '/') == 2);

    /// <summary>
    /// The path for the system. A drive or share needs a separator at its end, else it would be the
    /// device.
    /// </summary>
    public override string FullPath(string path) =>
        Root + path.Replace('/', '\\') + (path.Length > 0 && LengthOf(path) == path.Length ? "\\" : "");

    /// <summary>The path as people write it.</summary>
    public override string Display(string path)
    {
        string text = path.Replace('/', '\\');
        bool isShare = LengthOf(path) > 2;
        return isShare ? @"\" + text[Shares.Length..]
            : text.Length == 2 && LengthOf(path) == 2 ? text + '\\'
            : text;
    }

    /// <summary>
    /// The target path of a full path of the system, as links have it; null for a device and for a
    /// path that depends on the current folder.
    /// </summary>
    public override string? Find(string fullPath)
    {
        string path = fullPath.Replace('/', '\\');
        if (path.StartsWith(Root, StringComparison.Ordinal))
        {
            path = path[Root.Length..];
        }
        else if (path.StartsWith(@"\\", StringComparison.Ordinal))
        {
            path = Shares + path[1..];
        }

        string[] names = path.Split('\\', StringSplitOptions.RemoveEmptyEntries);
        string found = string.Join('/', names);
        bool isFull = path.Length > 2 && path[1] == ':' ? path[2] == '\\' : names is [_, not ("." or "?"), _, ..];
        return isFull && LengthOf(found) > 0 ? found : null;
    }

    private static int EndOfName(string path, int slash)
    {
        int end = slash < path.Length ? path.IndexOf('/', slash + 1) : slash;
        return end < 0 ? path.Length : end;
    }
}
