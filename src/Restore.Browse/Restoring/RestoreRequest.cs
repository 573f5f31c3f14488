namespace Restore.Browse.Restoring;

/// <summary>
/// The folder is relative to the start folder, with slashes between its names. Null or empty is the
/// start folder itself.
/// </summary>
internal sealed record RestoreRequest(
    IReadOnlyList<Pick> Picks,
    bool Overwrite,
    bool Permissions,
    bool FullPaths,
    bool CreateLinks,
    string? Folder,
    bool IsDrill = false
);
