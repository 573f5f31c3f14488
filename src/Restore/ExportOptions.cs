namespace Restore;

/// <summary>What <see cref="Backup.ExportAsync"/> exports, and how.</summary>
public sealed record ExportOptions
{
    /// <summary>Which entries to select; the default selects all.</summary>
    public EntryFilter Filter { get; init; } = EntryFilter.All;

    /// <summary>Receives the progress; null for none.</summary>
    public IProgress<RestoreProgress>? Progress { get; init; }

    /// <summary>Pauses the export and lets it go on; null if nothing will.</summary>
    public RestorePause? Pause { get; init; }

    /// <summary>
    /// Whether <see cref="Backup.ExportArchiveAsync"/> compresses the files of a zip. That takes
    /// most of its time.
    /// </summary>
    public bool Compresses { get; init; } = true;

    /// <summary>
    /// The folder in which the paths of an archive begin, as an original path: it and the folders
    /// above it are left out. An entry elsewhere keeps its full path. Null for the full paths of
    /// all.
    /// </summary>
    public string? ArchiveRoot { get; init; }

    /// <summary>
    /// Limit of the bytes of blocks in memory, at least 1 MiB; null for 256 MiB, at most an eighth
    /// of the machine. An eighth of the limit is fetched at once, so with less memory a store
    /// without ranges reads a volume more often.
    /// </summary>
    public long? CacheMaxBytes { get; init; }

    /// <summary>
    /// Which versions count if each file comes from the newest version in which it is not suspect;
    /// null to take all from one version. The version that is named then only names the archive.
    /// </summary>
    public AssessOptions? LastGood { get; init; }
}
