using Restore.Format;
using Restore.Volumes;

namespace Restore.Tests.Volumes;

public sealed class RangePolicyTests
{
    private const long Mebi = 1 << 20;

    private static readonly RangePolicy Auto = new(RangeReads.Auto, RangePolicy.RemoteRequestBytes);

    [Theory]
    [InlineData(50 * Mebi, 10_000, true)]
    [InlineData(50 * Mebi, 20 * Mebi, true)]
    [InlineData(49_000_000, 28_600_000, true)]
    [InlineData(50 * Mebi, 43 * Mebi, true)]
    [InlineData(50 * Mebi, 44 * Mebi, false)]
    [InlineData(50 * Mebi, 60 * Mebi, false)]
    [InlineData(370_000, 1_000, false)]
    [InlineData(380_000, 1_000, true)]
    [InlineData(0, 0, false)]
    public void A_volume_is_read_in_part_if_that_saves_an_eighth_with_the_requests(
        long volumeBytes,
        long wantedBytes,
        bool expected
    ) => Assert.Equal(expected, Auto.IsWorthTrying(Block("zip", volumeBytes), wantedBytes, hasRanges: true));

    [Fact]
    public void A_listed_size_takes_no_memory()
    {
        RangePolicy pieces = Auto with { PieceBytes = 8 * Mebi };
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Equal(1 << 25, pieces.EstimateRequests(Block("zip.gpg", 1L << 48), 1, hasRanges: true));
        Assert.Equal(int.MaxValue, pieces.EstimateRequests(Block("zip.gpg", long.MaxValue), 1, hasRanges: true));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, Mebi);
    }

    [Fact]
    public void The_header_of_an_encrypted_volume_is_a_request_more()
    {
        const long bytes = 600_000;
        Assert.True(Auto.IsWorthTrying(Block("zip", bytes), 1_000, hasRanges: true));
        Assert.False(Auto.IsWorthTrying(Block("zip.aes", bytes), 1_000, hasRanges: true));
        Assert.True(Auto.IsWorthTrying(Block("zip.aes", bytes + (2 * Auto.RequestCostBytes)), 1_000, hasRanges: true));
    }

    [Theory]
    [InlineData("tgz")]
    [InlineData("tzstd")]
    [InlineData("zip.gpg")]
    [InlineData("tgz.aes")]
    public void A_volume_without_random_access_is_read_whole_even_if_ranges_are_requested(string extension) =>
        Assert.False(
            new RangePolicy(RangeReads.Always, 0).IsWorthTrying(Block(extension, 50 * Mebi), 1, hasRanges: true)
        );

    [Fact]
    public void A_store_without_ranges_gives_whole_volumes() =>
        Assert.False(new RangePolicy(RangeReads.Always, 0).IsWorthTrying(Block("zip", 50 * Mebi), 1, hasRanges: false));

    [Fact]
    public void Never_and_always_do_not_count_costs()
    {
        Assert.False(new RangePolicy(RangeReads.Never, 0).IsWorthTrying(Block("zip", 50 * Mebi), 1, hasRanges: true));
        Assert.True(new RangePolicy(RangeReads.Always, Mebi).IsWorthTrying(Block("zip", 100), 90, hasRanges: true));
        Assert.True(new RangePolicy(RangeReads.Always, Mebi).IsWorth(volumeBytes: 100, partBytes: 100, requests: 5));
    }

    [Fact]
    public void Parts_are_read_if_they_and_their_requests_save_an_eighth_of_the_volume()
    {
        RangePolicy policy = new(RangeReads.Auto, 1_000);
        Assert.True(policy.IsWorth(volumeBytes: 10_000, partBytes: 4_000, requests: 5));
        Assert.False(policy.IsWorth(volumeBytes: 10_000, partBytes: 4_000, requests: 6));
        Assert.False(policy.IsWorth(volumeBytes: 10_000, partBytes: 10_000, requests: 1));
    }

    [Fact]
    public void The_estimate_is_the_whole_volume_or_tail_header_and_needed_blocks()
    {
        Assert.Equal((64 << 10) + 10_000, Auto.Estimate(Block("zip", 50 * Mebi), 10_000, hasRanges: true));
        Assert.Equal(
            (64 << 10) + VolumeTail.HeaderBytes + 10_000,
            Auto.Estimate(Block("zip.aes", 50 * Mebi), 10_000, hasRanges: true)
        );
        Assert.Equal(50 * Mebi, Auto.Estimate(Block("zip", 50 * Mebi), 45 * Mebi, hasRanges: true));
        Assert.Equal(
            3_000,
            new RangePolicy(RangeReads.Always, 0).Estimate(Block("zip", 3_000), 5_000, hasRanges: true)
        );
    }

    [Fact]
    public void A_request_costs_less_on_this_machine_or_as_much_as_the_option_says()
    {
        Assert.Equal(
            RangePolicy.RemoteRequestBytes,
            RangePolicy.Resolve(new RestoreTuning(), new ScriptedStore()).RequestCostBytes
        );
        Assert.Equal(
            RangePolicy.LocalRequestBytes,
            RangePolicy.Resolve(new RestoreTuning(), new ScriptedStore { IsLocal = true }).RequestCostBytes
        );
        Assert.Equal(
            7,
            RangePolicy.Resolve(new RestoreTuning { RequestCostBytes = 7 }, new ScriptedStore()).RequestCostBytes
        );
        Assert.Equal(
            RangeReads.Never,
            RangePolicy
                .Resolve(new RestoreTuning { RangeReads = RangeReads.Always }, new ScriptedStore(), readsParts: false)
                .Mode
        );
    }

    [Theory]
    [InlineData("zip", 656_000, 0, true)]
    [InlineData("zip", 655_000, 0, false)]
    [InlineData("zip.aes", 1_180_000, 0, false)]
    [InlineData("zip.aes", 1_190_000, 0, true)]
    [InlineData("zip.aes", 1_190_000, 100_000, false)]
    [InlineData("zip.aes", 900_000_000, 900_000_000, false)]
    public void An_index_volume_is_read_in_part_if_its_copies_of_blocklists_cost_more_than_the_requests(
        string extension,
        long volumeBytes,
        long wantedBytes,
        bool expected
    ) => Assert.Equal(expected, Auto.IsWorthTryingIndex(Block(extension, volumeBytes), wantedBytes, hasRanges: true));

    [Fact]
    public void An_index_volume_that_a_cache_keeps_is_read_whole_always()
    {
        RestoreTuning options = new() { RangeReads = RangeReads.Always };
        Volume index = Block("zip", 50 * Mebi);
        Assert.True(RangePolicy.Resolve(options, new ScriptedStore()).IsWorthTryingIndex(index, 0, hasRanges: true));
        Assert.False(
            RangePolicy
                .Resolve(options, new ScriptedStore(), keepsIndexes: true)
                .IsWorthTryingIndex(index, 0, hasRanges: true)
        );
    }

    [Fact]
    public void A_large_volume_that_is_needed_whole_comes_in_pieces_and_the_plan_counts_them()
    {
        RangePolicy policy = RangePolicy.Resolve(new RestoreTuning(), new ScriptedStore());
        Volume volume = Block("zip", 20 * Mebi);
        Assert.Equal(
            [new(0, 8 * Mebi), new(8 * Mebi, 16 * Mebi), new(16 * Mebi, 20 * Mebi)],
            policy.PiecesOf(volume, hasRanges: true)
        );
        Assert.Equal(3, policy.EstimateRequests(volume, volume.SizeBytes, hasRanges: true));
        Assert.Single(policy.PiecesOf(Block("zip", 8 * Mebi), hasRanges: true));
        Assert.Single(policy.PiecesOf(volume, hasRanges: false));
    }

    [Fact]
    public void The_requests_for_pieces_cost_a_sixteenth_of_their_bytes_at_most()
    {
        RangePolicy policy = RangePolicy.Resolve(
            new RestoreTuning { RequestCostBytes = 3 * Mebi },
            new ScriptedStore()
        );
        Assert.Equal(48 * Mebi, policy.PieceBytes);
    }

    [Fact]
    public void There_are_no_pieces_on_this_machine_without_ranges_or_with_a_given_number_of_downloaders()
    {
        Assert.Null(RangePolicy.Resolve(new RestoreTuning(), new ScriptedStore { IsLocal = true }).PieceBytes);
        Assert.Null(
            RangePolicy.Resolve(new RestoreTuning { RangeReads = RangeReads.Never }, new ScriptedStore()).PieceBytes
        );
        Assert.Null(RangePolicy.Resolve(new RestoreTuning { VolumeDownloaders = 2 }, new ScriptedStore()).PieceBytes);
    }

    [Fact]
    public void The_limit_for_volumes_in_flight_is_the_local_one_in_pieces_and_higher_for_whole_remote_volumes()
    {
        RangePolicy pieces = RangePolicy.Resolve(new RestoreTuning(), new ScriptedStore());
        Assert.Equal(100 * Mebi, pieces.BytesInFlight(50 * Mebi, new ScriptedStore()));
        Assert.Equal(64 * Mebi, pieces.BytesInFlight(1 * Mebi, new ScriptedStore()));
        Assert.Equal(256 * Mebi, pieces.BytesInFlight(50 * Mebi, new ScriptedStore { HasRanges = false }));

        ScriptedStore local = new() { IsLocal = true };
        Assert.Equal(100 * Mebi, RangePolicy.Resolve(new RestoreTuning(), local).BytesInFlight(50 * Mebi, local));

        RangePolicy whole = RangePolicy.Resolve(new RestoreTuning { VolumeDownloaders = 4 }, new ScriptedStore());
        Assert.Equal(256 * Mebi, whole.BytesInFlight(50 * Mebi, new ScriptedStore()));
        Assert.Equal(400 * Mebi, whole.BytesInFlight(200 * Mebi, new ScriptedStore()));
    }

    [Theory]
    [InlineData(2, 50, 0, 100)]
    [InlineData(4, 50, 0, 200)]
    [InlineData(32, 50, 0, 400)]
    [InlineData(32, 50, 128, 272)]
    [InlineData(32, 1, 0, 64)]
    public void More_volumes_are_in_flight_for_more_cores_up_to_the_room_of_two_large_ones(
        int volumes,
        int largest,
        int largeBlocks,
        int limit
    )
    {
        ScriptedStore local = new() { IsLocal = true };
        RangePolicy policy = RangePolicy.Resolve(new RestoreTuning(), local);
        Assert.Equal(limit * Mebi, policy.BytesInFlight(largest * Mebi, local, largeBlocks * Mebi, volumes: volumes));
    }

    [Theory]
    [InlineData(1, 0, 128)]
    [InlineData(50, 0, 200)]
    [InlineData(200, 0, 200)]
    [InlineData(50, 128, 72)]
    [InlineData(50, 300, 64)]
    public void Volumes_of_which_gpg_makes_texts_count_twice_and_leave_room_for_a_long_text(
        int largest,
        int largeBlocks,
        int limit
    )
    {
        ScriptedStore local = new() { IsLocal = true };
        RangePolicy policy = RangePolicy.Resolve(new RestoreTuning(), local);
        Assert.Equal(limit * Mebi, policy.BytesInFlight(largest * Mebi, local, largeBlocks * Mebi, hasTexts: true));
    }

    [Fact]
    public void A_request_cost_below_zero_is_refused()
    {
        RestoreTuning options = new() { RequestCostBytes = -1 };
        RestoreException failure = Assert.Throws<RestoreException>(() =>
            RangePolicy.Resolve(options, new ScriptedStore())
        );
        Assert.Equal(RestoreErrorKind.Usage, failure.Kind);
        Assert.Contains("RequestCostBytes cannot be -1", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Neighbours_are_read_at_once_when_their_gap_costs_less_than_a_request()
    {
        ReadRange[] ranges = [new(0, 10), new(10, 20), new(25, 30), new(26, 28), new(36, 40), new(100, 110)];
        Assert.Equal([new(0, 30), new(36, 40), new(100, 110)], ReadRange.Merge(ranges, requestCostBytes: 5));
        Assert.Equal([new(0, 40), new(100, 110)], ReadRange.Merge(ranges, requestCostBytes: 6));
        Assert.Equal([new(0, 110)], ReadRange.Merge(ranges, requestCostBytes: 60));
        Assert.Empty(ReadRange.Merge([], requestCostBytes: 5));
    }

    private static Volume Block(string extension, long sizeBytes)
    {
        Assert.True(
            VolumeName.TryParse($"duplicati-b00112233445566778899aabbccddeeff.dblock.{extension}", out VolumeName name)
        );
        return new Volume(new VolumeId(0), name, sizeBytes);
    }
}
