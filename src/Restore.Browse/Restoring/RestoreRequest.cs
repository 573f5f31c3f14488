namespace Restore.Browse.Restoring;

/// <summary>
/// The folder is below that of the start, with a slash between its names; null or empty for that of
/// the start.
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
