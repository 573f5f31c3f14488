namespace Restore.Writing;

/// <summary>What a backup would take of its sources.</summary>
public sealed record SourceListing
{
    /// <summary>Files that would be taken.</summary>
    public long Files { get; init; }

    /// <summary>Folders that would be taken.</summary>
    public long Folders { get; init; }

    /// <summary>Links that would be taken.</summary>
    public long Symlinks { get; init; }

    /// <summary>Length of the files.</summary>
    public long Bytes { get; init; }

    /// <summary>
    /// Entries that would be left out. What is in a folder that is left out does not count.
    /// </summary>
    public long LeftOut { get; init; }

    /// <summary>Entries that could not be looked at, each with the reason.</summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];
}
