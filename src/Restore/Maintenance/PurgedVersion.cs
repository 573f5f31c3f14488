namespace Restore.Maintenance;

/// <summary>A version that has entries with lost blocks: blocks that no volume has.</summary>
public sealed record PurgedVersion
{
    /// <summary>The version.</summary>
    public required BackupVersion Version { get; init; }

    /// <summary>Entries that stay, some of them without their metadata.</summary>
    public long Entries { get; init; }

    /// <summary>
    /// Files that lost content, and links that lost their target: the purge removes them.
    /// </summary>
    public long Removed { get; init; }

    /// <summary>Files and folders that lost only their metadata: they stay, without it.</summary>
    public long WithoutMetadata { get; init; }

    /// <summary>The paths of the removed entries, at most the first 10,000.</summary>
    public IReadOnlyList<string> RemovedPaths { get; init; } = [];

    /// <summary>
    /// The paths of the entries that lose their metadata, at most the first 10,000.
    /// </summary>
    public IReadOnlyList<string> PathsWithoutMetadata { get; init; } = [];

    /// <summary>Why the list stays as it is; null if it is replaced.</summary>
    public string? StaysBecause { get; init; }

    /// <summary>
    /// The new file list that an earlier, interrupted purge left; null if the list has not been
    /// made yet.
    /// </summary>
    public string? NewFileListName { get; init; }

    internal bool IsSameAs(PurgedVersion other) =>
        RemovedPaths.SequenceEqual(other.RemovedPaths)
        && PathsWithoutMetadata.SequenceEqual(other.PathsWithoutMetadata)
        && this with
        {
            RemovedPaths = [],
            PathsWithoutMetadata = [],
        } == other with { RemovedPaths = [], PathsWithoutMetadata = [] };
}
