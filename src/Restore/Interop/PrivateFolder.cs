namespace Restore.Interop;

/// <summary>Temporary folders that only this user can enter.</summary>
internal static class PrivateFolder
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    /// <summary>Windows always uses the temporary folder of the system: it is the user's own.</summary>
    public static DirectoryInfo Create(string prefix, string? parent = null) => parent is null || OperatingSystem.IsWindows()
        ? Directory.CreateTempSubdirectory(prefix)
        : Directory.CreateDirectory(Path.GetFullPath(Path.Join(parent, $"{prefix}{Guid.NewGuid():N}")), OwnerOnly);
}
