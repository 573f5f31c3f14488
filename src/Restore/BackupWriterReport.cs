namespace Restore;

/// <summary>The result of writing a version.</summary>
public sealed record BackupWriterReport
{
    /// <summary>The time of the version, which identifies it.</summary>
    public required DateTimeOffset Time { get; init; }

    /// <summary>Name of the file list.</summary>
    public required string FileListName { get; init; }

    /// <summary>Files in the version.</summary>
    public long Files { get; init; }

    /// <summary>Folders in the version.</summary>
    public long Folders { get; init; }

    /// <summary>Links in the version.</summary>
    public long Symlinks { get; init; }

    /// <summary>Length of the contents of the files.</summary>
    public long Bytes { get; init; }

    /// <summary>Blocks of the version (of contents, metadata and blocklists), with repetitions.</summary>
    public long Blocks { get; init; }

    /// <summary>Of those, blocks that the backup did not have before.</summary>
    public long NewBlocks { get; init; }

    /// <summary>Length of the new blocks before compression.</summary>
    public long NewBlockBytes { get; init; }

    /// <summary>Block volumes written.</summary>
    public int BlockVolumes { get; init; }

    /// <summary>Length of everything written.</summary>
    public long BytesWritten { get; init; }

    /// <summary>Duration.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>Entries that are not in the version, and existing volumes that could not be used, each with the reason.</summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];

    /// <summary>The profile: one row for each process.</summary>
    public IReadOnlyList<ProcessProfile> Profile { get; init; } = [];
}
