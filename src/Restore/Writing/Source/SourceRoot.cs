namespace Restore.Writing.Source;

/// <summary>A source, as the user named it.</summary>
/// <param name="Path">Its full path, without a separator at the end.</param>
/// <param name="IsFolder">Whether it was named as a folder (<c>link/</c>, <c>link/.</c>), so that a
/// link at the end of its path is followed.</param>
internal sealed record SourceRoot(string Path, bool IsFolder = false)
{
    /// <summary>The source of a path as the user wrote it.</summary>
    public static SourceRoot Of(string given) =>
        new(Full(given), System.IO.Path.GetFileName(given.AsSpan()) is "" or "." or "..");

    public static string Full(string path) =>
        System.IO.Path.TrimEndingDirectorySeparator(System.IO.Path.GetFullPath(path));

    /// <summary>
    /// The sources to walk: each once, without sources that the walk of another source reaches.
    /// Links on the way are not followed, so a source behind a link is walked on its own.
    /// </summary>
    public static IReadOnlyList<SourceRoot> Distinct(IEnumerable<string> given, bool followsLinks)
    {
        SourceRoot[] all =
        [
            .. given
                .Select(Of)
                .GroupBy(root => root.Path, StringComparer.Ordinal)
                .Select(same => new SourceRoot(same.Key, same.Any(root => root.IsFolder)))
                .OrderBy(root => root.Path, StringComparer.Ordinal),
        ];
        return
        [
            .. all.Where(root =>
                !all.Any(other => root.IsInside(other) && (followsLinks || !root.IsBehindLink(other)))
            ),
        ];
    }

    /// <summary>Whether a full path is below this one.</summary>
    public bool Contains(string path) =>
        path.Length > Path.Length
        && path.StartsWith(Path, StringComparison.Ordinal)
        && (
            System.IO.Path.EndsInDirectorySeparator(Path) || path[Path.Length] == System.IO.Path.DirectorySeparatorChar
        );

    private bool IsInside(SourceRoot other) => other.Contains(Path);

    /// <summary>Whether a link is on the way from another source to this one.</summary>
    private bool IsBehindLink(SourceRoot other)
    {
        string? part = IsFolder ? Path : System.IO.Path.GetDirectoryName(Path);
        for (; part is not null && part.Length > other.Path.Length; part = System.IO.Path.GetDirectoryName(part))
        {
            if (IsLink(part))
            {
                return true;
            }
        }

        return !other.IsFolder && IsLink(other.Path);
    }

    private static bool IsLink(string path) => new FileInfo(path).LinkTarget is not null;
}
