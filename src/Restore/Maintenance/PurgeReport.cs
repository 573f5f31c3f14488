namespace Restore.Maintenance;

/// <summary>The result of a purge.</summary>
public sealed record PurgeReport
{
    /// <summary>The file lists that were deleted, each with the list that replaces it.</summary>
    public IReadOnlyList<ReplacedFileList> Replaced { get; init; } = [];

    /// <summary>Bytes read from the store.</summary>
    public long BytesFetched { get; init; }

    /// <summary>Bytes written to it.</summary>
    public long BytesWritten { get; init; }

    /// <summary>Duration.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>What is still wrong.</summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];
}
