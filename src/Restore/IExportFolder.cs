namespace Restore;

/// <summary>
/// A folder of your own for <see cref="Backup.ExportFolderAsync"/>, which can only be written to
/// with asynchronous calls, such as one that a browser gives to a page. The library decides what
/// goes where: it maps names, and does not touch what already exists.
/// </summary>
/// <remarks>
/// Paths are relative, with '/' between names; no name is empty, '.' or '..'. The calls come one at
/// a time. An <see cref="IOException"/> is about one entry: it is left out, and the report says so.
/// Any other exception ends the export, and <see cref="Backup.ExportFolderAsync"/> throws it.
/// </remarks>
public interface IExportFolder
{
    /// <summary>The name of the folder in reports.</summary>
    string DisplayName { get; }

    /// <summary>The length of the file at a path; null if nothing exists at the path.</summary>
    /// <exception cref="IOException">Something else is there.</exception>
    ValueTask<long?> FindFileAsync(string path, CancellationToken cancellationToken);

    /// <summary>
    /// Reads from <paramref name="offset"/> of a file until <paramref name="destination"/> is full
    /// or the file ends.
    /// </summary>
    ValueTask<int> ReadAsync(string path, long offset, Memory<byte> destination, CancellationToken cancellationToken);

    /// <summary>Creates a folder and the folders above it, if they do not exist.</summary>
    ValueTask CreateFolderAsync(string path, CancellationToken cancellationToken);

    /// <summary>
    /// Creates a file, and the folders above it. When the file is committed, it gets its name and
    /// replaces an existing file.
    /// </summary>
    ValueTask<IExportFile> CreateFileAsync(string path, CancellationToken cancellationToken);
}
