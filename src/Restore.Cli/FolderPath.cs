namespace Restore.Cli;

/// <summary>Paths of this machine, compared by their names.</summary>
internal static class FolderPath
{
    /// <summary>Whether a path is a folder, or in it.</summary>
    public static bool IsInside(string path, string folder)
    {
        var relative = Path.GetRelativePath(Path.GetFullPath(folder), Path.GetFullPath(path));
        return relative != ".." && !relative.StartsWith(".." + Path.DirectorySeparatorChar, StringComparison.Ordinal) && !Path.IsPathRooted(relative);
    }
}
