using Restore.Compression;
using Restore.Compression.Zip;

namespace Restore.Volumes.Sparse;

/// <summary>The entries in the directory of a zip archive, and where their data ends.</summary>
internal sealed class SparseDirectory
{
    private const int EntryBytes = 64;

    private readonly Memory<byte> bytes;
    private readonly List<ArchiveEntry> entries = [];
    private readonly long dataEnd;
    private readonly long[] starts;

    /// <summary>Reads the entries.</summary>
    /// <param name="bytes">The directory; stays in use.</param>
    /// <param name="location">Its location in the archive.</param>
    /// <exception cref="InvalidDataException">The directory contradicts itself.</exception>
    public SparseDirectory(Memory<byte> bytes, ZipDirectoryLocation location)
    {
        this.bytes = bytes;
        dataEnd = location.OffsetBytes;
        ZipDirectoryReader reader = new(location);
        while (reader.MoveNext(bytes.Span, out ArchiveEntry entry))
        {
            entries.Add(entry);
        }

        starts = [.. entries.Select(entry => entry.DataOffset)];
        Array.Sort(starts);
    }

    /// <summary>About how much memory the directory takes.</summary>
    public long MemoryBytes => bytes.Length + ((long)EntryBytes * entries.Count);

    /// <summary>All entries.</summary>
    public IReadOnlyList<ArchiveEntry> Entries => entries;

    /// <summary>The name of an entry.</summary>
    public ReadOnlySpan<byte> NameOf(in ArchiveEntry entry) => bytes.Span.Slice(entry.NameOffset, entry.NameLength);

    /// <summary>
    /// The bytes of the archive that contain an entry: up to the next entry. The length of the local header is known only after reading it, but the header
    /// has at most one extra field of 64 KiB.
    /// </summary>
    public ReadRange RangeOf(in ArchiveEntry entry)
    {
        long least = entry.DataOffset + ZipLocalHeader.FixedLengthBytes + entry.NameLength + entry.CompressedLength;
        int next = Array.BinarySearch(starts, entry.DataOffset + 1);
        next = next < 0 ? ~next : next;
        long limit = next < starts.Length && starts[next] >= least ? starts[next] : dataEnd;
        return new ReadRange(entry.DataOffset, Math.Min(limit, least + ushort.MaxValue));
    }

    /// <summary>The entries as an archive that can be walked, not decoded.</summary>
    public Archive Open(Codecs codecs) => new ZipArchiveReader(bytes, entries, 0, codecs);
}
