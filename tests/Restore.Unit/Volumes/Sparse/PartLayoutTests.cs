using Restore.Compression;
using Restore.Compression.Zip;
using Restore.Volumes;

namespace Restore.Tests.Volumes.Sparse;

public sealed class PartLayoutTests
{
    private readonly SparseDirectory directory = SparseParts.Directory();

    [Theory]
    [InlineData(0, new[] { 3 }, 1)]
    [InlineData(0, new[] { 3, 4, 5 }, 1)]
    [InlineData(0, new[] { 3, 5 }, 2)]
    [InlineData(2000, new[] { 3, 5 }, 1)]
    [InlineData(2000, new[] { 3, 5, 12 }, 2)]
    [InlineData(0, new int[0], 0)]
    public void Neighbors_are_one_range_if_the_gap_costs_no_more_than_a_request(
        int requestCost,
        int[] wanted,
        int ranges
    )
    {
        PartLayout layout = new(directory, [.. wanted.Select(entry => directory.Entries[entry])], requestCost);
        Assert.Equal(ranges, layout.Ranges.Count);
        Assert.Equal(layout.Ranges.Sum(range => range.Length), layout.DataBytes);
        Assert.InRange(layout.DataBytes, (long)wanted.Length * SparseParts.EntryBytes, SparseParts.Archive.Length);
    }

    [Fact]
    public void The_order_in_which_entries_are_needed_does_not_matter()
    {
        PartLayout layout = new(directory, [.. ((int[])[12, 3, 4]).Select(entry => directory.Entries[entry])], 0);
        Assert.Equal(
            [directory.Entries[3].DataOffset, directory.Entries[12].DataOffset],
            layout.Ranges.Select(range => range.From)
        );
    }

    [Theory]
    [InlineData(0)]
    [InlineData(5000)]
    public void Placed_entries_decode_out_of_a_buffer_that_has_only_the_runs(int requestCost)
    {
        int[] wanted = [1, 2, 7, 9, 19];
        PartLayout layout = new(directory, [.. wanted.Select(entry => directory.Entries[entry])], requestCost);

        // Each range lies somewhat behind the one before, as if it were decrypted from the middle
        // of a block.
        byte[] buffer = new byte[layout.DataBytes + (16 * layout.Ranges.Count) + layout.NameBytes];
        List<int> places = [];
        int next = 0;
        foreach (ReadRange range in layout.Ranges)
        {
            places.Add(next + 16);
            SparseParts.Archive.AsSpan((int)range.From, (int)range.Length).CopyTo(buffer.AsSpan(next + 16));
            next += 16 + (int)range.Length;
        }

        layout.Place(places.ToArray(), next, buffer);
        using ZipArchiveReader archive = new(buffer, layout.Entries, next, Compression.Volumes.Native);
        Assert.Equal(
            wanted.Select(entry => SparseParts.Blocks[entry]),
            layout.Entries.Select(entry => SparseParts.Decode(archive, entry))
        );
        Assert.All(layout.Entries, entry => Assert.True(archive.NameOf(entry).EndsWith("="u8)));
    }
}
