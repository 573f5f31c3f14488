namespace Restore.Jobs;

internal static class ServerFolders
{
    private const int MaxDepth = 6;
    private const int MaxFolders = 20_000;

    /// <summary>
    /// Places below the root of a machine: of accounts, services, containers and portable copies. A
    /// star is any folder.
    /// </summary>
    private static readonly string[] Places =
    [
        "home/*/.config/Duplicati",
        "root/.config/Duplicati",
        "var/lib/Duplicati",
        "var/lib/*/.config/Duplicati",
        "Duplicati",
        "data",
        "config",
        "usr/lib/duplicati/data",
        "opt/duplicati/data",
        "Users/*/AppData/Local/Duplicati",
        "Users/*/AppData/Roaming/Duplicati",
        "ProgramData/Duplicati",
        "Windows/System32/config/systemprofile/AppData/Local/Duplicati",
        "Windows/SysWOW64/config/systemprofile/AppData/Local/Duplicati",
        "Windows/ServiceProfiles/*/AppData/Local/Duplicati",
        "Program Files/Duplicati 2/data",
        "Users/*/Library/Application Support/Duplicati",
        "Users/*/.config/Duplicati",
        "var/root/Library/Application Support/Duplicati",
        "var/root/.config/Duplicati",
    ];

    public static IReadOnlyList<string> OfThisMachine()
    {
        IEnumerable<string> own = new[]
        {
            Environment.SpecialFolder.ApplicationData,
            Environment.SpecialFolder.LocalApplicationData,
        }
            .Select(folder => Environment.GetFolderPath(folder))
            .Where(folder => folder.Length > 0)
            .Select(folder => Path.Combine(folder, "Duplicati"));
        string[] roots = OperatingSystem.IsWindows()
            ?
            [
                .. DriveInfo
                    .GetDrives()
                    .Where(drive => drive.DriveType == DriveType.Fixed && drive.IsReady)
                    .Select(drive => drive.Name),
            ]
            : ["/"];
        return [.. own.Concat(roots.SelectMany(AtPlaces)).Select(DatabaseIn).Where(File.Exists).Distinct()];
    }

    /// <summary>
    /// The databases at the known places below a folder, else those that a search finds.
    /// </summary>
    public static IReadOnlyList<string> Below(string root, CancellationToken cancellationToken)
    {
        string[] known = [.. AtPlaces(root).Prepend(root).Select(DatabaseIn).Where(File.Exists).Distinct()];
        return known.Length > 0 ? known : Search(root, cancellationToken);
    }

    private static IEnumerable<string> AtPlaces(string root) =>
        Places.SelectMany(place =>
            place
                .Split('/')
                .Aggregate(
                    (IEnumerable<string>)[root],
                    (folders, name) =>
                        name == "*"
                            ? folders.SelectMany(FoldersIn)
                            : folders.Select(folder => Path.Combine(folder, name))
                )
        );

    private static List<string> Search(string root, CancellationToken cancellationToken)
    {
        List<string> found = [];
        List<string> level = [root];
        int left = MaxFolders;

        // Level by level, so that the limit of folders cuts off the deepest ones.
        for (int depth = 0; depth < MaxDepth && level.Count > 0; depth++)
        {
            List<string> next = [];
            foreach (string folder in level)
            {
                cancellationToken.ThrowIfCancellationRequested();
                foreach (string child in FoldersIn(folder).Take(left))
                {
                    left--;
                    next.Add(child);
                    if (File.Exists(DatabaseIn(child)))
                    {
                        found.Add(DatabaseIn(child));
                    }
                }
            }

            level = next;
        }

        return found;
    }

    private static string[] FoldersIn(string folder)
    {
        // A link could lead out of the folder, or back into it without end.
        EnumerationOptions options = new()
        {
            AttributesToSkip = FileAttributes.ReparsePoint,
            IgnoreInaccessible = true,
        };
        try
        {
            return Directory.Exists(folder)
                ? [.. Directory.EnumerateDirectories(folder, "*", options).Order(StringComparer.Ordinal)]
                : [];
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    private static string DatabaseIn(string folder) => Path.Combine(folder, DuplicatiJobs.ServerDatabaseName);
}
