namespace Restore.Maintenance;

/// <summary>The result of <see cref="BackupMaintenance.RestoreBlocksAsync"/>.</summary>
public sealed record BlockRepairReport
{
    /// <summary>Blocks that entries need and that were in no volume before.</summary>
    public long LostBlocks { get; init; }

    /// <summary>
    /// Blocks that were found in local files, including the blocks of lost blocklists.
    /// </summary>
    public long FoundBlocks { get; init; }

    /// <summary>Bytes of the blocks that were found.</summary>
    public long FoundBytes { get; init; }

    /// <summary>Local files that were read.</summary>
    public long FilesRead { get; init; }

    /// <summary>The names of the new volumes. Empty if nothing was to be written.</summary>
    public IReadOnlyList<string> Made { get; init; } = [];

    /// <summary>Bytes read from the store.</summary>
    public long BytesFetched { get; init; }

    /// <summary>Bytes written to the store.</summary>
    public long BytesWritten { get; init; }

    /// <summary>Duration.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>What is still wrong, and local files that could not be read.</summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];
}
