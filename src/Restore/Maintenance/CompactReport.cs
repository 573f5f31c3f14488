namespace Restore.Maintenance;

/// <summary>The result of a compact.</summary>
public sealed record CompactReport
{
    /// <summary>Block volumes deleted.</summary>
    public int VolumesDeleted { get; init; }

    /// <summary>Block volumes written.</summary>
    public int VolumesWritten { get; init; }

    /// <summary>Blocks moved to new volumes.</summary>
    public long BlocksMoved { get; init; }

    /// <summary>Bytes read from the store.</summary>
    public long BytesFetched { get; init; }

    /// <summary>Bytes written to it.</summary>
    public long BytesWritten { get; init; }

    /// <summary>Length of what was deleted from it.</summary>
    public long BytesDeleted { get; init; }

    /// <summary>Duration.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>
    /// Volumes that could not be read whole and stay, and everything else that is wrong.
    /// </summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];
}
