namespace Restore.Maintenance;

/// <summary>The result of making a local database.</summary>
public sealed record DatabaseReport
{
    /// <summary>Where the database is.</summary>
    public required string Path { get; init; }

    /// <summary>Versions in it.</summary>
    public int Versions { get; init; }

    /// <summary>
    /// Entries: each path once for each content and metadata that it has in some version.
    /// </summary>
    public long Entries { get; init; }

    /// <summary>Blocks that entries refer to.</summary>
    public long Blocks { get; init; }

    /// <summary>Blocks that no entry refers to any more.</summary>
    public long UnusedBlocks { get; init; }

    /// <summary>Blocks that entries refer to and no volume has.</summary>
    public long LostBlocks { get; init; }

    /// <summary>Volumes of the backup that the database knows.</summary>
    public int Volumes { get; init; }

    /// <summary>Length of the database, in bytes.</summary>
    public long Bytes { get; init; }

    /// <summary>Bytes read from the store.</summary>
    public long BytesFetched { get; init; }

    /// <summary>Duration.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>The phases, and how long each took.</summary>
    public IReadOnlyList<PhaseDuration> Phases { get; init; } = [];

    /// <summary>
    /// What the database lacks, and the defects of volumes that were read for it.
    /// </summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];
}
