namespace Restore.Cli.Commands;

/// <summary>
/// Finds folders with file lists in a folder and two levels below it: a disk, a folder on it, the
/// backup.
/// </summary>
internal static class BackupSearch
{
    private const int Levels = 2;
    private const int MostFound = 10;

    // A home folder has fewer; a large tree is not searched to its end.
    private const int MostFolders = 5000;

    /// <returns>The folders, in the order of their names; empty if the location is not a folder of
    /// this machine.</returns>
    public static IReadOnlyList<string> Below(string location)
    {
        List<string> found = [];
        var left = MostFolders;
        List<string> level = [location];

        // Level by level, so that the nearest backups come first. All levels share one limit.
        for (var depth = 0; depth < Levels && found.Count < MostFound; depth++)
        {
            level = [.. level.SelectMany(FoldersIn).Take(left)];
            left -= level.Count;
            found.AddRange(level.Where(StorageLocation.HasLists));
        }

        return [.. found.Take(MostFound)];
    }

    private static IEnumerable<string> FoldersIn(string folder)
    {
        try
        {
            return !Directory.Exists(folder)
                ? []
                :
                [
                    .. Directory
                        .EnumerateDirectories(folder)
                        .Where(IsNoLink)
                        .Order(StringComparer.Ordinal)
                        .Take(MostFolders),
                ];
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    /// <summary>A link can lead up again.</summary>
    private static bool IsNoLink(string folder) => new DirectoryInfo(folder).LinkTarget is null;
}
