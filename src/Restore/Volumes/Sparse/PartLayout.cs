using Restore.Compression;

namespace Restore.Volumes.Sparse;

/// <summary>The byte ranges that hold the needed entries of a volume, and the offsets of the entries when the ranges lie contiguously in a buffer.</summary>
internal sealed class PartLayout
{
    private readonly SparseDirectory directory;
    private readonly ArchiveEntry[] wanted;

    /// <summary>Plans the ranges: merges neighbors if the gap costs less than another request.</summary>
    public PartLayout(SparseDirectory directory, IEnumerable<ArchiveEntry> wanted, long requestCostBytes)
    {
        this.directory = directory;
        this.wanted = [.. wanted.OrderBy(entry => entry.DataOffset)];
        Ranges = ReadRange.Merge(this.wanted.Select(entry => directory.RangeOf(entry)), requestCostBytes);
        DataBytes = Ranges.Sum(range => range.Length);
        NameBytes = this.wanted.Sum(entry => (long)entry.NameLength);
    }

    /// <summary>The ranges to read, in the order of their offsets in the volume.</summary>
    public IReadOnlyList<ReadRange> Ranges { get; }

    /// <summary>Total length of the ranges.</summary>
    public long DataBytes { get; }

    /// <summary>Length of the names of all needed entries.</summary>
    public long NameBytes { get; }

    /// <summary>Finds the offset of each entry in a buffer that has the ranges, and writes the names after the data.</summary>
    /// <param name="places">Where in the buffer each range starts.</param>
    /// <param name="dataLength">Where in the buffer the names start.</param>
    /// <param name="buffer">The buffer.</param>
    public ArchiveEntry[] Place(ReadOnlySpan<int> places, int dataLength, Span<byte> buffer)
    {
        ArchiveEntry[] placed = [.. wanted];
        int range = 0;
        int name = dataLength;
        for (int i = 0; i < placed.Length; i++)
        {
            while (placed[i].DataOffset >= Ranges[range].To)
            {
                range++;
            }

            directory.NameOf(placed[i]).CopyTo(buffer[name..]);
            placed[i] = placed[i] with { NameOffset = name, DataOffset = places[range] + placed[i].DataOffset - Ranges[range].From };
            name += placed[i].NameLength;
        }

        return placed;
    }
}
