namespace Restore.Interop;

/// <summary>Temporary folders that only this user can enter.</summary>
internal static class PrivateFolder
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    /// <summary>Creates a folder with a name of its own.</summary>
    /// <param name="prefix">How its name begins.</param>
    /// <param name="parent">Where; null for the temporary folder of the system. Windows uses that one in any case: it is the user's own.</param>
    public static DirectoryInfo Create(string prefix, string? parent = null) => parent is null || OperatingSystem.IsWindows()
        ? Directory.CreateTempSubdirectory(prefix)
        : Directory.CreateDirectory(Path.GetFullPath(Path.Join(parent, $"{prefix}{Guid.NewGuid():N}")), OwnerOnly);
}
