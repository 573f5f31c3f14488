namespace Restore.Browse.Health;

/// <summary>
/// The files of all versions that are lost, in whole or in part, by folder; those that need a
/// volume of the wrong size and that no other volume has, which may be lost; and whether a drill of
/// this session has read everything.
/// </summary>
internal sealed record LossTotals(
    int Files,
    int MetadataOnly,
    int AtRisk,
    bool IsVerified,
    int FolderCount,
    IReadOnlyList<LostFolder> Folders
);
