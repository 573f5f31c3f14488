namespace Restore.Browse.Restoring;

/// <summary>
/// The folder is relative to the start folder, with slashes between its names. Null or empty is the
/// start folder itself. For the last good content of every file there are no picks. Without a folder,
/// entries can go to their original places.
/// </summary>
internal sealed record RestoreRequest(
    IReadOnlyList<Pick> Picks,
    bool Overwrite,
    bool Permissions,
    bool FullPaths,
    bool CreateLinks,
    string? Folder,
    bool IsDrill = false,
    bool IsLastGood = false,
    bool IsOriginal = false
);
