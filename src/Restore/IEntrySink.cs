namespace Restore;

/// <summary>
/// A sink of your own for <see cref="Backup.ExportAsync"/>: receives the entries of a version one
/// after another, for example for an archive.
/// </summary>
public interface IEntrySink
{
    /// <summary>
    /// Receives an entry. The calls come one at a time, in the order of the file list: folders and
    /// links, then files.
    /// </summary>
    /// <param name="entry">The entry with its metadata.</param>
    /// <param name="content">The content, verified block by block: for files a seekable stream of
    /// exactly <see cref="BackupEntry.SizeBytes"/> bytes, else an empty one. It is valid during the
    /// call. A read of lost bytes throws an <see cref="IOException"/>. A sink that does not catch
    /// it skips the entry. A sink that must continue, such as an archive that has written the
    /// length already, catches it and sets the position after the
    /// <see cref="BackupEntry.SizeBytes"/> or the block. The report has the loss in both cases.
    /// </param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="Exception">Any exception except the one from a lost read ends the export,
    /// and <see cref="Backup.ExportAsync"/> throws it.</exception>
    ValueTask TakeAsync(ExportedEntry entry, Stream content, CancellationToken cancellationToken);
}
