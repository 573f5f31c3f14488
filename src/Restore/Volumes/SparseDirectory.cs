using Restore.Compression.Zip;

namespace Restore.Volumes;

/// <summary>
/// The entries in the directory of a zip archive with their names, and where their data ends, in
/// pooled memory: a volume of tiny files has some MiB of them.
/// </summary>
internal sealed class SparseDirectory : IDisposable
{
    // An array of as many is no large object, which would stay until the next full collection.
    private const int MostInRun = 2000;

    private readonly long dataEnd;
    private (PooledBuffer Names, PooledBuffer Rows)? buffers;
    private Memory<byte> names;
    private Memory<byte> rows;

    /// <param name="buffer">Gets one more user until the directory is disposed; it is shortened to
    /// the names.</param>
    /// <param name="bytes">The directory, in the buffer.</param>
    /// <exception cref="InvalidDataException">The directory contradicts itself.</exception>
    public SparseDirectory(PooledBuffer buffer, Memory<byte> bytes, ZipDirectoryLocation location, BufferPool pool)
    {
        dataEnd = location.OffsetBytes;

        // The reader refuses a directory that is too short for the number of its entries.
        int count = (int)Math.Min(location.EntryCount, bytes.Length / ZipDirectoryReader.MinEntryLengthBytes);
        using PooledBuffer room = pool.Rent(count * Unsafe.SizeOf<ArchiveEntry>());
        Span<ArchiveEntry> entries = MemoryMarshal.Cast<byte, ArchiveEntry>(room.Span);
        ZipDirectoryReader reader = new(location);
        int namesLength = 0;
        for (int i = 0; reader.MoveNext(bytes.Span, out ArchiveEntry entry); i++)
        {
            // A name is half of what the directory has of an entry, and nothing else is needed once
            // that is read.
            bytes.Span.Slice(entry.NameOffset, entry.NameLength).CopyTo(buffer.Span[namesLength..]);
            entries[i] = entry with { NameOffset = namesLength };
            namesLength += entry.NameLength;
        }

        Sort(entries);
        buffer.Trim(namesLength);
        names = buffer.Memory;
        rows = room.Memory;
        buffers = (buffer.Keep(), room.Keep());
    }

    public long MemoryBytes => names.Length + rows.Length;

    /// <summary>By their offset.</summary>
    public ReadOnlySpan<ArchiveEntry> Entries => MemoryMarshal.Cast<byte, ArchiveEntry>(rows.Span);

    public ReadOnlySpan<byte> NameOf(in ArchiveEntry entry) => names.Span.Slice(entry.NameOffset, entry.NameLength);

    /// <summary>Sorts entries by their offset, as they almost always are.</summary>
    public static void Sort(Span<ArchiveEntry> entries)
    {
        for (int i = 1; i < entries.Length; i++)
        {
            if (entries[i].DataOffset < entries[i - 1].DataOffset)
            {
                entries.Sort((a, b) => (a.DataOffset, a.NameOffset).CompareTo((b.DataOffset, b.NameOffset)));
                return;
            }
        }
    }

    /// <summary>
    /// Replaces the buffers of a small directory by copies, because the buffers have more room than
    /// a small directory needs.
    /// </summary>
    public void Own()
    {
        if (names.Length < BufferPool.LargeBytes)
        {
            (names, rows) = (names.ToArray(), rows.ToArray());
            Dispose();
        }
    }

    /// <summary>
    /// The bytes of the archive that contain an entry: up to the next entry. The length of the
    /// local header is known only after reading it, but the header has at most one extra field of
    /// 64 KiB.
    /// </summary>
    public ReadRange RangeOf(in ArchiveEntry entry)
    {
        ReadOnlySpan<ArchiveEntry> entries = Entries;
        int next = 0;
        for (int end = entries.Length; next < end; )
        {
            int middle = (next + end) / 2;
            (next, end) = entries[middle].DataOffset <= entry.DataOffset ? (middle + 1, end) : (next, middle);
        }

        long least = entry.DataOffset + ZipLocalHeader.FixedLengthBytes + entry.NameLength + entry.CompressedLength;
        long limit = next < entries.Length && entries[next].DataOffset >= least ? entries[next].DataOffset : dataEnd;
        return new ReadRange(entry.DataOffset, Math.Min(limit, least + ushort.MaxValue));
    }

    /// <summary>
    /// Splits the entries, ordered by their offset, into runs of about a given length. A new run
    /// begins when the current one is long enough and no entry reaches beyond its end. Only a run
    /// of one entry is longer than one and a half times that length.
    /// </summary>
    public List<EntryRun> Runs(int runBytes)
    {
        ReadOnlySpan<ArchiveEntry> entries = Entries;
        List<EntryRun> runs = [];
        int first = 0;
        long end = 0;
        for (int i = 0; i < entries.Length; i++)
        {
            ReadRange range = RangeOf(entries[i]);
            long from = entries[first].DataOffset;
            if (
                i > first
                && range.From >= end
                && (IsEnough(end - from, range.To - from, runBytes) || i - first >= MostInRun)
            )
            {
                runs.Add(new EntryRun(first, i - first, end - entries[first].DataOffset));
                first = i;
            }

            end = Math.Max(end, range.To);
        }

        if (first < entries.Length)
        {
            runs.Add(new EntryRun(first, entries.Length - first, end - entries[first].DataOffset));
        }

        return runs;
    }

    /// <summary>
    /// Whether a run ends before the next entry. A run of less than half the length takes the next
    /// entry along if both together are not much longer than the length: each run costs a message.
    /// </summary>
    private static bool IsEnough(long lengthBytes, long withNextBytes, int runBytes) =>
        withNextBytes > (lengthBytes < runBytes / 2 ? runBytes / 2 * 3 : runBytes);

    public Archive Open(Codecs codecs) => new ZipArchiveReader(names, Entries.ToArray(), 0, codecs);

    public void Dispose()
    {
        buffers?.Names.Dispose();
        buffers?.Rows.Dispose();
        buffers = null;
    }
}
