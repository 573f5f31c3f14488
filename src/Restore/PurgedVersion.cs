namespace Restore;

/// <summary>A version with entries whose blocks are in no volume.</summary>
public sealed record PurgedVersion
{
    /// <summary>The version.</summary>
    public required BackupVersion Version { get; init; }

    /// <summary>Entries that stay, some of them without their metadata.</summary>
    public long Entries { get; init; }

    /// <summary>Files whose content is lost, and links whose target is: these go.</summary>
    public long Removed { get; init; }

    /// <summary>
    /// Files and folders of which only the metadata is lost: these stay without it.
    /// </summary>
    public long WithoutMetadata { get; init; }

    /// <summary>The paths of the entries that go, at most the first ten thousand.</summary>
    public IReadOnlyList<string> RemovedPaths { get; init; } = [];

    /// <summary>
    /// The paths of the entries that lose their metadata, at most the first ten thousand.
    /// </summary>
    public IReadOnlyList<string> PathsWithoutMetadata { get; init; } = [];

    /// <summary>Why the list stays as it is; null if it is replaced.</summary>
    public string? StaysBecause { get; init; }

    /// <summary>
    /// The new file list that a purge before this one has left, when it was interrupted; null if it
    /// is to be made.
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
