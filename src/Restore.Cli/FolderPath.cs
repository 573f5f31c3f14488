namespace Restore.Cli;

/// <summary>Paths of this machine.</summary>
internal static class FolderPath
{
    // The limit of Linux; links in a circle would be followed without end.
    private const int MaxLinks = 40;

    /// <summary>
    /// Whether a path is a folder, or in it, by its name or by where its links lead.
    /// </summary>
    public static bool IsInside(string path, string folder) =>
        IsBelow(Path.GetFullPath(path), Path.GetFullPath(folder))
        || IsBelow(Real(Path.GetFullPath(path)), Real(Path.GetFullPath(folder)));

    private static bool IsBelow(string path, string folder)
    {
        var relative = Path.GetRelativePath(folder, path);
        return relative != ".."
            && !relative.StartsWith(".." + Path.DirectorySeparatorChar, StringComparison.Ordinal)
            && !Path.IsPathRooted(relative);
    }

    /// <summary>
    /// The path without links; what does not exist or cannot be looked at counts as no link.
    /// </summary>
    private static string Real(string path, int links = 0)
    {
        var real = Path.GetPathRoot(path)!;
        foreach (
            var name in path[real.Length..].Split(Path.DirectorySeparatorChar, StringSplitOptions.RemoveEmptyEntries)
        )
        {
            real = Path.Join(real, name);
            if (links < MaxLinks && TargetOf(real) is { } target)
            {
                real = Real(Path.GetFullPath(target), links + 1);
            }
        }

        return real;
    }

    private static string? TargetOf(string path)
    {
        try
        {
            return new DirectoryInfo(path).ResolveLinkTarget(returnFinalTarget: false)?.FullName;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
