namespace Restore.Volumes;

/// <summary>
/// The byte ranges that hold the needed entries of a volume, and the offsets of the entries when
/// the ranges lie contiguously in a buffer.
/// </summary>
internal sealed class PartLayout
{
    private readonly SparseDirectory directory;
    private readonly ArchiveEntry[] entries;

    /// <summary>
    /// Plans the ranges: merges neighbors if the gap costs less than another request.
    /// </summary>
    /// <param name="entries">The wanted entries. The layout takes over the array and changes
    /// it.</param>
    public PartLayout(SparseDirectory directory, ArchiveEntry[] entries, long requestCostBytes)
    {
        this.directory = directory;
        this.entries = entries;
        SparseDirectory.Sort(entries);
        Ranges = ReadRange.Merge(entries.Select(entry => directory.RangeOf(entry)), requestCostBytes);
        DataBytes = Ranges.Sum(range => range.Length);
        NameBytes = entries.Sum(entry => (long)entry.NameLength);
    }

    /// <summary>The ranges to read, in the order of their offsets in the volume.</summary>
    public IReadOnlyList<ReadRange> Ranges { get; }

    /// <summary>The entries; once they are placed, as they lie in the buffer.</summary>
    public IReadOnlyList<ArchiveEntry> Entries => entries;

    public long DataBytes { get; }

    public long NameBytes { get; }

    /// <summary>
    /// Finds the offset of each entry in a buffer that has the ranges, and writes the names after
    /// the data.
    /// </summary>
    public void Place(ReadOnlySpan<int> places, int dataLength, Span<byte> buffer)
    {
        int range = 0;
        int name = dataLength;
        foreach (ref ArchiveEntry entry in entries.AsSpan())
        {
            while (entry.DataOffset >= Ranges[range].To)
            {
                range++;
            }

            directory.NameOf(entry).CopyTo(buffer[name..]);
            entry = entry with
            {
                NameOffset = name,
                DataOffset = places[range] + entry.DataOffset - Ranges[range].From,
            };
            name += entry.NameLength;
        }
    }
}
