namespace Restore.Maintenance;

/// <summary>The result of <see cref="BackupMaintenance.RestoreFileListsAsync"/>.</summary>
public sealed record FileListRepairReport
{
    /// <summary>The versions that only the local database knew.</summary>
    public IReadOnlyList<BackupVersion> Versions { get; init; } = [];

    /// <summary>The names of the file lists that were written again.</summary>
    public IReadOnlyList<string> Made { get; init; } = [];

    /// <summary>Bytes read from the store.</summary>
    public long BytesFetched { get; init; }

    /// <summary>Bytes written to the store.</summary>
    public long BytesWritten { get; init; }

    /// <summary>Duration.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>
    /// The versions that could not be written again, and what the versions that were lack.
    /// </summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];
}
