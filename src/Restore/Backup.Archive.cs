using System.IO.Compression;
using Restore.Streams.Archives;

namespace Restore;

/// <content>Entries as an archive.</content>
public partial class Backup
{
    /// <summary>
    /// Writes entries of a version as an archive, one after another, in bounded memory. The same
    /// entries give the same bytes. Lost bytes of a file are zeros in the archive, and a file
    /// <c>restore-damaged-ranges.txt</c> at its end names them; a file that is lost completely is
    /// left out. Paths are relative. What a restore refuses is left out too: paths with '..', the
    /// second of two entries with one path, and what lies below a link. An archive that lacks
    /// entries has a file <c>restore-left-out.txt</c> that names them. If the backup is not
    /// encrypted, or lists that are not authentic are allowed, the report warns of what could lead
    /// a program that unpacks out of its folder.
    /// </summary>
    /// <param name="version">One of <see cref="Versions"/>.</param>
    /// <param name="output">Receives the archive; need not be able to seek, and stays open.</param>
    /// <param name="format">The format.</param>
    /// <param name="options">Which entries to select, and how.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What is in the archive, and what is lost.</returns>
    /// <exception cref="RestoreException">Nothing is selected, the file list cannot be read, the
    /// passphrase is wrong, or the store is lost.</exception>
    /// <exception cref="IOException">The output cannot be written.</exception>
    public virtual async Task<ExportReport> ExportArchiveAsync(
        BackupVersion version,
        Stream output,
        ArchiveFormat format,
        ExportOptions? options = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(version);
        ArgumentNullException.ThrowIfNull(output);
        CompressionLevel level = options is { Compresses: false }
            ? CompressionLevel.NoCompression
            : CompressionLevel.Optimal;

        // Whether the list is authentic is known when it is read, and entries are warned of as they
        // come: so the permission to use one that is not is enough.
        bool warns =
            Session.Options.AllowUnauthenticLists
            || !VolumeTrust.IsAuthentic(version, Session.Options.AllowGpgKeys, Session.Options.AllowUnencrypted);
        ArchiveSink sink =
            format == ArchiveFormat.Zip
                ? new ZipSink(output, level) { Warns = warns, Root = options?.ArchiveRoot }
                : new TarSink(output) { Warns = warns, Root = options?.ArchiveRoot };
        options ??= new ExportOptions();

        // A program that unpacks the archive makes the folders above the selection, and would not
        // know their modes without these entries.
        options = options with
        {
            Filter = options.Filter.WithFoldersAbove(),
        };
        ExportReport report = await ExportAsync(version, sink, options, cancellationToken).ConfigureAwait(false);
        await sink.FinishAsync(report.Issues, cancellationToken).ConfigureAwait(false);
        await output.FlushAsync(cancellationToken).ConfigureAwait(false);
        return sink.Complete(report);
    }
}
