namespace Restore;

/// <summary>What <see cref="Backup.ExportAsync"/> gives to a sink, and how.</summary>
public sealed record ExportOptions
{
    /// <summary>Which entries; the default takes all.</summary>
    public EntryFilter Filter { get; init; } = EntryFilter.All;

    /// <summary>Receives the progress; null for none.</summary>
    public IProgress<RestoreProgress>? Progress { get; init; }

    /// <summary>
    /// Most bytes of blocks kept in memory, at least 1 MiB; null is 256 MiB, at most an eighth of the memory of the machine. An eighth of it is fetched at
    /// once, so with less memory a store without ranges reads a volume more often.
    /// </summary>
    public long? CacheMaxBytes { get; init; }
}

/// <summary>What came of an export.</summary>
public sealed record ExportReport
{
    /// <summary>The version that was exported.</summary>
    public required BackupVersion Version { get; init; }

    /// <summary>Files that the sink took, whole and verified as far as it read them.</summary>
    public long Files { get; init; }

    /// <summary>Folders that the sink took.</summary>
    public long Folders { get; init; }

    /// <summary>Links that the sink took.</summary>
    public long Symlinks { get; init; }

    /// <summary>Length of the contents of those files.</summary>
    public long Bytes { get; init; }

    /// <summary>Bytes read from the store, file list and index volumes included.</summary>
    public long BytesFetched { get; init; }

    /// <summary>Duration.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>Everything that did not go as it should.</summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];

    /// <summary>Whether the sink got every selected entry whole.</summary>
    public bool IsComplete => Issues.All(issue => issue.Kind == IssueKind.Warning);
}
