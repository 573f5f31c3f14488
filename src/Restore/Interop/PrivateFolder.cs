namespace Restore.Interop;

/// <summary>Folders that only this user can enter.</summary>
internal static class PrivateFolder
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    /// <summary>
    /// A temporary one. Windows always uses the temporary folder of the system: it is the user's
    /// own.
    /// </summary>
    public static DirectoryInfo Create(string prefix, string? parent = null) =>
        parent is null || OperatingSystem.IsWindows()
            ? Directory.CreateTempSubdirectory(prefix)
            : At(Path.GetFullPath(Path.Join(parent, $"{prefix}{Guid.NewGuid():N}")));

    /// <summary>
    /// Makes a folder, and the folders above it that are missing, for this user alone.
    /// </summary>
    public static void WithParents(string path)
    {
        if (!Directory.Exists(path))
        {
            if (Path.GetDirectoryName(path) is { } parent)
            {
                WithParents(parent);
            }

            At(path);
        }
    }

    /// <summary>
    /// The folder of a path, which is made if it is not there. Windows has no modes.
    /// </summary>
    /// <param name="others">What others may do there.</param>
    public static DirectoryInfo At(string path, UnixFileMode others = UnixFileMode.None) =>
        OperatingSystem.IsWindows()
            ? Directory.CreateDirectory(path)
            : Directory.CreateDirectory(path, OwnerOnly | others);
}
