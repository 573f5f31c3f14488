using Restore.Memory;
using Restore.Writing;

namespace Restore;

/// <summary>
/// Writes versions of a backup that Duplicati and this library read. Safe for concurrent use, but not with two versions of one backup at once.
/// </summary>
public sealed class BackupWriter
{
    private readonly WriterSettings settings;

    /// <summary>Checks the options.</summary>
    /// <exception cref="RestoreException">An option cannot be used; the message says why.</exception>
    public BackupWriter(BackupWriterOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        settings = WriterSettings.Resolve(options);
    }

    /// <summary>
    /// Writes a version. Blocks that the destination has already are not stored again. The file list comes last: until it is there, nothing refers to
    /// what was written, and a run that was broken off has changed no version.
    /// </summary>
    /// <param name="cancellationToken">Cancels the operation; complete volumes stay, and the next version uses their blocks.</param>
    /// <returns>What was written. Entries that could not be read are in its issues and not in the version.</returns>
    /// <exception cref="RestoreException">A source is not there, or the destination cannot be written or holds a backup of another kind.</exception>
    public Task<BackupWriterReport> WriteAsync(CancellationToken cancellationToken = default) =>
        new WriterRun(settings, new BufferPool()).RunAsync(cancellationToken);
}
