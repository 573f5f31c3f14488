using System.IO.Compression;
using System.Text;

namespace Restore.Web.Files;

/// <summary>
/// Writes entries to a zip archive as they come, in constant memory. Names are made safe for those who unpack it, and links are left out. If content is lost,
/// the archive ends with a file that says so.
/// </summary>
/// <param name="output">The archive; stays open.</param>
/// <param name="folder">What is cut off from the paths, with its separator.</param>
internal sealed class ZipSink(Stream output, string folder) : IEntrySink, IAsyncDisposable
{
    private const string LossesName = "NOT COMPLETE - read this first.txt";

    private static readonly DateTimeOffset Earliest = new(1980, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly DateTimeOffset Latest = new(2107, 12, 31, 0, 0, 0, TimeSpan.Zero);

    private ZipArchive? archive;

    public async ValueTask TakeAsync(ExportedEntry entry, Stream content, CancellationToken cancellationToken)
    {
        string name = NameOf(entry.Entry.Path, folder);
        if (entry.Entry.Kind == BackupEntryKind.Symlink || name.Length == 0)
        {
            return;
        }

        bool isFolder = entry.Entry.Kind == BackupEntryKind.Folder;
        ZipArchive open = await ArchiveAsync(cancellationToken).ConfigureAwait(false);
        ZipArchiveEntry written = open.CreateEntry(isFolder ? name + "/" : name, CompressionLevel.Fastest);
        DateTimeOffset time = entry.LastModified ?? Earliest;
        written.LastWriteTime = time < Earliest ? Earliest : time > Latest ? Latest : time;
        written.ExternalAttributes = ((isFolder ? 0x4000 : 0x8000) | (int)(entry.Mode ?? (isFolder ? (UnixFileMode)0x1ED : (UnixFileMode)0x1A4))) << 16;
        if (!isFolder)
        {
            Stream target = await written.OpenAsync(cancellationToken).ConfigureAwait(false);
            await using (target.ConfigureAwait(false))
            {
                await content.CopyToAsync(target, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Ends the archive.</summary>
    public async Task CompleteAsync(ExportReport report, CancellationToken cancellationToken)
    {
        ZipArchive ended = await ArchiveAsync(cancellationToken).ConfigureAwait(false);
        if (!report.IsComplete)
        {
            IEnumerable<string> lines = report.Issues.Where(issue => issue.Kind != IssueKind.Warning).Select(issue => $"{issue.Path}: {issue.Reason}");
            Stream note = await ended.CreateEntry(LossesName).OpenAsync(cancellationToken).ConfigureAwait(false);
            await using (note.ConfigureAwait(false))
            {
                await note.WriteAsync(Encoding.UTF8.GetBytes(string.Join('\n', lines) + "\n"), cancellationToken).ConfigureAwait(false);
            }
        }

        archive = null;
        await ended.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Drops an archive that was not completed: it has no directory then, and nobody takes it for whole.</summary>
    public ValueTask DisposeAsync()
    {
        archive = null;
        return ValueTask.CompletedTask;
    }

    /// <summary>The name in the archive: below the folder, without parts that lead elsewhere on any system.</summary>
    internal static string NameOf(string path, string folder)
    {
        bool isWindows = !path.StartsWith('/') && path.Contains('\\', StringComparison.Ordinal);
        string below = path.StartsWith(folder, StringComparison.Ordinal) ? path[folder.Length..] : path;
        return string.Join('/', below.Split(isWindows ? '\\' : '/', StringSplitOptions.RemoveEmptyEntries).Select(Safe));
    }

    private static string Safe(string part) =>
        part is "." or ".." ? new string('_', part.Length)
        : string.Concat(part.Select((c, i) => char.IsControl(c) || c is '\\' or '/' || (c == ':' && i == 1) ? '_' : c));

    private async Task<ZipArchive> ArchiveAsync(CancellationToken cancellationToken) =>
        archive ??= await ZipArchive.CreateAsync(output, ZipArchiveMode.Create, leaveOpen: true, Encoding.UTF8, cancellationToken).ConfigureAwait(false);
}
