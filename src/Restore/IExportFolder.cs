namespace Restore;

/// <summary>
/// A folder of your own for <see cref="Backup.ExportFolderAsync"/>, which can only be written to with asynchronous calls, such as one that a browser gives to a
/// page. The library decides what goes where: it maps names, and leaves alone what is there already.
/// </summary>
/// <remarks>
/// Paths are relative, with '/' between names; no name is empty, '.' or '..'. The calls come one at a time. An <see cref="IOException"/> is about one
/// entry: it is left out, and the report says so. Any other exception ends the export, and <see cref="Backup.ExportFolderAsync"/> throws it.
/// </remarks>
public interface IExportFolder
{
    /// <summary>The name of the folder in reports.</summary>
    string DisplayName { get; }

    /// <summary>The length of the file at a path; null if nothing is there.</summary>
    /// <exception cref="IOException">Something else is there.</exception>
    ValueTask<long?> FindFileAsync(string path, CancellationToken cancellationToken);

    /// <summary>Reads from <paramref name="offset"/> of a file until <paramref name="destination"/> is full or the file ends.</summary>
    ValueTask<int> ReadAsync(string path, long offset, Memory<byte> destination, CancellationToken cancellationToken);

    /// <summary>Creates a folder and those above it, if they are not there.</summary>
    ValueTask CreateFolderAsync(string path, CancellationToken cancellationToken);

    /// <summary>Creates a file, and the folders above it. The file gets its name, or takes the place of the one that is there, when it is committed.</summary>
    ValueTask<IExportFile> CreateFileAsync(string path, CancellationToken cancellationToken);
}

/// <summary>A file that is written from start to end. One that is disposed before it was committed leaves nothing.</summary>
public interface IExportFile : IAsyncDisposable
{
    /// <summary>Appends bytes. The file does not use <paramref name="data"/> after the call has ended.</summary>
    ValueTask WriteAsync(ReadOnlyMemory<byte> data, CancellationToken cancellationToken);

    /// <summary>Puts the file, which is complete, in its place.</summary>
    ValueTask CommitAsync(CancellationToken cancellationToken);
}

/// <summary>What <see cref="Backup.ExportFolderAsync"/> exports, and how.</summary>
public sealed record FolderExportOptions
{
    /// <summary>Which entries to select; the default selects all.</summary>
    public EntryFilter Filter { get; init; } = EntryFilter.All;

    /// <summary>Replaces files that differ; without it, the exported file gets a name with the date.</summary>
    public bool Overwrite { get; init; }

    /// <summary>Keeps the full original path below the folder; by default the common start of all paths is cut off.</summary>
    public bool FullPaths { get; init; }

    /// <summary>Whether names must be valid on Windows: others are written with '%' and the number of a character.</summary>
    public bool WindowsNames { get; init; }

    /// <summary>Whether names that differ only in case are one.</summary>
    public bool IgnoresCase { get; init; }

    /// <summary>Receives the progress; null for none.</summary>
    public IProgress<RestoreProgress>? Progress { get; init; }
}
