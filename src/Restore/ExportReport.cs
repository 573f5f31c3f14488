namespace Restore;

/// <summary>The result of an export.</summary>
public sealed record ExportReport
{
    /// <summary>The version that was exported.</summary>
    public required BackupVersion Version { get; init; }

    /// <summary>Files that the sink took, whole and verified as far as it read them.</summary>
    public long Files { get; init; }

    /// <summary>
    /// Of those, files that were already at the target; only for
    /// <see cref="Backup.ExportFolderAsync"/>.
    /// </summary>
    public long FilesUnchanged { get; init; }

    /// <summary>Folders that the sink took.</summary>
    public long Folders { get; init; }

    /// <summary>Links that the sink took.</summary>
    public long Symlinks { get; init; }

    /// <summary>Length of the contents of those files.</summary>
    public long Bytes { get; init; }

    /// <summary>Length of the contents of the files that were at the target already.</summary>
    public long BytesUnchanged { get; init; }

    /// <summary>Bytes read from the store, including file list and index volumes.</summary>
    public long BytesFetched { get; init; }

    /// <summary>Duration.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>All issues.</summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];

    /// <summary>Whether the sink got every selected entry whole.</summary>
    public bool IsComplete => Issues.All(issue => issue.Kind == IssueKind.Warning);
}
