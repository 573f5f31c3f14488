namespace Restore.Maintenance;

/// <summary>Which versions are deleted and which stay.</summary>
public sealed record DeletionPlan
{
    /// <summary>All versions, newest first.</summary>
    public required IReadOnlyList<VersionFate> Versions { get; init; }

    /// <summary>
    /// Length of the file lists to delete. A compact removes the blocks that only they need.
    /// </summary>
    public long Bytes { get; init; }

    /// <summary>What is wrong with file lists.</summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];

    /// <summary>The versions to delete.</summary>
    public IEnumerable<BackupVersion> Deleted => Versions.Where(fate => fate.IsDeleted).Select(fate => fate.Version);
}

/// <summary>What becomes of a version.</summary>
/// <param name="Version">The version.</param>
/// <param name="IsFull">Whether its backup was completed. False too if its file list cannot be
/// read.</param>
/// <param name="IsDeleted">Whether it is deleted.</param>
/// <param name="Reason">Why, in a few words.</param>
public sealed record VersionFate(BackupVersion Version, bool IsFull, bool IsDeleted, string Reason);
