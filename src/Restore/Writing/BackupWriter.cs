
namespace Restore.Writing;

/// <summary>
/// Writes versions of a backup that Duplicati and this library read. Safe for concurrent use, but
/// only one version of a backup at a time.
/// </summary>
public sealed class BackupWriter
{
    private readonly WriterSettings settings;

    /// <summary>Checks the options.</summary>
    /// <exception cref="RestoreException">An option cannot be used; the message says
    /// why.</exception>
    public BackupWriter(BackupWriterOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        settings = WriterSettings.Resolve(options);
    }

    /// <summary>
    /// Writes a version. Blocks that the destination already has are not stored again. The file
    /// list comes last: until then nothing refers to what was written, so an interrupted call
    /// changes no version.
    /// </summary>
    /// <param name="cancellationToken">Cancels the operation; complete volumes stay, and the next
    /// version uses their blocks.</param>
    /// <returns>What was written. Entries that could not be read are in its issues and not in the
    /// version.</returns>
    /// <exception cref="RestoreException">A source does not exist, the destination cannot be
    /// written or has a backup of another kind, or somebody else writes to it.</exception>
    public Task<BackupWriterReport> WriteAsync(CancellationToken cancellationToken = default) =>
        new WriterRun(settings, new BufferPool()).RunAsync(cancellationToken);

    /// <summary>Walks the sources as a backup does, but reads no file and no destination.</summary>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What a version would have; each decision goes to
    /// <see cref="BackupWriterOptions.Decisions"/>.</returns>
    /// <exception cref="RestoreException">A source does not exist, or is empty and the options
    /// refuse empty sources.</exception>
    public Task<SourceListing> ListSourcesAsync(CancellationToken cancellationToken = default) =>
        SourceList.MakeAsync(settings, cancellationToken);
}
