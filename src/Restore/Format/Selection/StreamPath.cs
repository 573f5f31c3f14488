namespace Restore.Format.Selection;

/// <summary>
/// The path of a stream of a file or folder of Windows, which a backup has as a file of its own:
/// <c>C:\file.txt:stream</c>.
/// </summary>
internal static class StreamPath
{
    private const int LongestName = 255;

    /// <summary>
    /// Length of a path of Windows before the colon of a stream's name; 0 if the path does not name
    /// a stream.
    /// </summary>
    public static int HostLength(ReadOnlySpan<char> path)
    {
        ReadOnlySpan<char> usual = WindowsPath.Is(path) ? WindowsPath.Usual(path) : path;
        int colon = WindowsPath.Is(path) ? usual.LastIndexOf(':') : -1;
        return colon > 2 && !usual[colon..].Contains('\\') ? path.Length - usual.Length + colon : 0;
    }

    /// <summary>
    /// Splits the path of a stream that can be written into the path of its file or folder, without
    /// a separator at the end, and its name.
    /// </summary>
    public static bool TrySplit(string path, out string host, out string name)
    {
        int hostLength = HostLength(path);
        (host, name) = hostLength > 0 ? (path[..hostLength].TrimEnd('\\', '/'), path[(hostLength + 1)..]) : ("", "");
        return hostLength > 0 && IsPlainName(name);
    }

    /// <summary>
    /// Whether a stream of that name can be written: a hostile name could be the content of the
    /// file itself (<c>file.txt::$DATA</c>), or a part of the file system.
    /// </summary>
    public static bool IsPlainName(ReadOnlySpan<char> name) =>
        name is [not '$', ..]
        && name.Length <= LongestName
        && name[^1] is not ('.' or ' ')
        && !name.ContainsAny(WindowsPath.ForbiddenInName);
}
