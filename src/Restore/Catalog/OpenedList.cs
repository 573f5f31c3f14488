using Restore.Compression;
using Restore.Format;
using Restore.Volumes;

namespace Restore.Catalog;

/// <summary>A file list whose volume is in memory, read some entries at a time.</summary>
internal sealed class OpenedList : IDisposable
{
    // A list has about 300 bytes for an entry: the limit is 200 million entries.
    private const long MaxListBytes = 64L << 30;

    private readonly LoadedVolume volume;
    private readonly Archive archive;
    private readonly Stream json;
    private readonly FileListReader reader;

    private OpenedList(LoadedVolume volume, Archive archive, Stream json, BlockLayout layout, RestoreIssue? issue)
    {
        this.volume = volume;
        this.archive = archive;
        this.json = json;
        reader = new FileListReader(json, layout);
        Layout = layout;
        Issue = issue;
    }

    public BlockLayout Layout { get; }

    /// <summary>The defect of a volume that can still be used; null if there is none.</summary>
    public RestoreIssue? Issue { get; }

    /// <summary>Opens the list of a volume; takes over volume and archive.</summary>
    /// <exception cref="InvalidDataException">The volume has no list.</exception>
    public static OpenedList Open(LoadedVolume volume, Archive archive, BlockLayout layout, RestoreIssue? issue)
    {
        try
        {
            while (archive.MoveNext(out ArchiveEntry entry))
            {
                if (archive.NameOf(entry).SequenceEqual("filelist.json"u8))
                {
                    return new OpenedList(volume, archive, archive.Open(entry, MaxListBytes), layout, issue);
                }
            }

            throw new InvalidDataException("It has no filelist.json");
        }
        catch
        {
            archive.Dispose();
            throw;
        }
    }

    /// <summary>Reads further entries.</summary>
    /// <param name="sink">Receives them.</param>
    /// <param name="count">Limit of the entries to read.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>False at the end, when the list and its volume have been checked to their ends.</returns>
    public bool ReadSome(IFileListSink sink, long count, CancellationToken cancellationToken)
    {
        if (reader.ReadSome(sink, count, cancellationToken))
        {
            return true;
        }

        // Entries of a tar have no checksum of their own: the surrounding stream has one at its end.
        json.Dispose();
        while (!archive.IsRandomAccess && archive.MoveNext(out _))
        {
        }

        return false;
    }

    public void Dispose()
    {
        reader.Dispose();
        json.Dispose();
        archive.Dispose();
        volume.Dispose();
    }
}
