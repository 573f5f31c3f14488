namespace Restore.Format.Selection;

/// <summary>The folders of a system that filter groups have as members.</summary>
/// <param name="System">The system.</param>
/// <param name="Folder">The path of a folder by its name in <see
/// cref="Environment.SpecialFolder"/>; empty if the system has no such folder.</param>
/// <param name="Temporary">The folder for temporary files, with a separator at its end.</param>
/// <param name="UserCache">What the variable XDG_CACHE_HOME says; empty if it is not set.</param>
internal sealed record FilterGroupPlaces(
    FilterGroupSystem System,
    Func<string, string> Folder,
    string Temporary,
    string UserCache
)
{
    /// <summary>The folders of this machine.</summary>
    public static FilterGroupPlaces OfThisMachine() =>
        new(
            OperatingSystem.IsWindows() ? FilterGroupSystem.Windows
                : OperatingSystem.IsMacOS() ? FilterGroupSystem.MacOS
                : FilterGroupSystem.Linux,
            name => Environment.GetFolderPath(Enum.Parse<Environment.SpecialFolder>(name)),
            Path.TrimEndingDirectorySeparator(Path.GetTempPath()) + Path.DirectorySeparatorChar,
            UserCacheOf(Environment.GetEnvironmentVariable("XDG_CACHE_HOME"))
        );

    /// <summary>
    /// What is in a folder, and for an empty name the folder itself; empty if there is no such
    /// folder.
    /// </summary>
    public string In(string folder, string name) =>
        Folder(folder) is { Length: > 0 } path ? $"{path.TrimEnd('/', '\\')}/{name}" : "";

    /// <summary>The folders themselves.</summary>
    public IEnumerable<string> All(params string[] folders) => folders.Select(folder => In(folder, ""));

    // Duplicati takes the value as it is. The path of a folder ends with a separator, and one
    // without it would match nothing.
    private static string UserCacheOf(string? value) =>
        string.IsNullOrEmpty(value) ? "" : Path.TrimEndingDirectorySeparator(value) + "/";
}
