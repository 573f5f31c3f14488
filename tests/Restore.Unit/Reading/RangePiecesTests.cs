using Restore.Catalog;
using Restore.Tests.Support.Machine;
using Restore.Volumes;

namespace Restore.Tests.Reading;

/// <summary>Whole volumes of a remote store, fetched in concurrent pieces.</summary>
public sealed class RangePiecesTests
{
    private static RangePolicy InPieces { get; } = new(RangeReads.Auto, 256 << 10, PieceBytes: 50_000);

    [Theory]
    [FixtureData("one-big", "plain-1mb")]
    public async Task A_volume_in_pieces_is_the_same_and_each_byte_is_requested_once(string fixture)
    {
        using RangeBackend backend = await RangeBackend.OpenAsync(fixture, RangeBackend.StoreOf(fixture));
        FetchList demand = await backend.DemandEveryAsync(1);
        backend.Store.ForgetReads();

        Dictionary<int, string> found = await backend.FetchAsync(demand, InPieces);

        Assert.Equal(demand.Blocks.Select(block => block.Value).Order(), found.Keys.Order());
        IEnumerable<(string, long, int)> pieces =
            from wanted in demand.Volumes
            from piece in InPieces.PiecesOf(wanted.Volume, backend.Store.HasRanges)
            select (wanted.Volume.FileName, piece.From, (int)piece.Length);
        Assert.Equal(pieces.Order(), backend.Store.Reads.Order());
        Assert.True(backend.Store.Reads.Count > demand.Volumes.Count);
    }

    [Fact]
    public async Task A_store_that_turns_out_to_have_no_ranges_gives_the_rest_of_a_volume_at_once()
    {
        using RangeBackend backend = await RangeBackend.OpenAsync("one-big", RangeBackend.StoreOf("one-big"));
        backend.Store.BeforeRead = (_, _) =>
        {
            backend.Store.HasRanges = false;
            return ValueTask.CompletedTask;
        };
        FetchList demand = await backend.DemandEveryAsync(1);
        backend.Store.ForgetReads();

        Dictionary<int, string> found = await backend.FetchAsync(demand, InPieces);

        Assert.Equal(demand.Blocks.Select(block => block.Value).Order(), found.Keys.Order());
        Assert.All(backend.Store.Reads.GroupBy(read => read.Name), reads => Assert.InRange(reads.Count(), 1, 2));
    }

    [Fact]
    public async Task A_volume_of_which_a_piece_fails_is_lost_and_its_buffer_is_back()
    {
        using RangeBackend backend = await RangeBackend.OpenAsync(
            "one-big",
            RangeBackend.StoreOf("one-big", _ => throw new IOException("No more today"))
        );
        FetchList demand = await backend.DemandEveryAsync(1);
        int[] large =
        [
            .. demand
                .Volumes.Where(wanted => wanted.Volume.SizeBytes > InPieces.PieceBytes)
                .Select(wanted => wanted.Volume.Id),
        ];
        Assert.NotEmpty(large);

        Dictionary<int, string> found = await backend.FetchAsync(demand, InPieces);

        Assert.DoesNotContain(found.Keys, block => large.Contains(backend.VolumeOf(block)));
    }

    [Fact]
    public async Task A_volume_that_ends_in_a_piece_has_the_bytes_before_its_end()
    {
        using RangeBackend backend = await RangeBackend.OpenAsync(
            "plain-1mb",
            RangeBackend.StoreOf("plain-1mb", length => length - 1)
        );
        FetchList demand = await backend.DemandEveryAsync(1);
        long pieceBytes = demand.Volumes.Max(wanted => wanted.Volume.SizeBytes) - 10;

        Dictionary<int, string> found = await backend.FetchAsync(demand, InPieces with { PieceBytes = pieceBytes });

        Assert.Equal(demand.Blocks.Select(block => block.Value).Order(), found.Keys.Order());
    }
}
