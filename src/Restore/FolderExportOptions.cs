namespace Restore;

/// <summary>What <see cref="Backup.ExportFolderAsync"/> exports, and how.</summary>
public sealed record FolderExportOptions
{
    /// <summary>Which entries to select; the default selects all.</summary>
    public EntryFilter Filter { get; init; } = EntryFilter.All;

    /// <summary>
    /// Replaces files that differ; without it, the exported file gets a name with the date.
    /// </summary>
    public bool Overwrite { get; init; }

    /// <summary>
    /// Keeps the full original path below the folder; by default the common start of all paths is
    /// cut off.
    /// </summary>
    public bool FullPaths { get; init; }

    /// <summary>
    /// Whether names must be valid on Windows: others are written with '%' and the number of a
    /// character.
    /// </summary>
    public bool WindowsNames { get; init; }

    /// <summary>Whether names that differ only in case count as the same.</summary>
    public bool IgnoresCase { get; init; }

    /// <summary>Receives the progress; null for none.</summary>
    public IProgress<RestoreProgress>? Progress { get; init; }

    /// <summary>Pauses the export and lets it go on; null if nothing will.</summary>
    public RestorePause? Pause { get; init; }
}
