using Restore.Catalog;
using Restore.Tests.Support.Machine;
using Restore.Volumes;

namespace Restore.Tests.Reading;

/// <summary>
/// The first half of the flow, fetching some blocks of real volumes whole and by ranges.
/// </summary>
public sealed class RangeFetchTests
{
    public static TheoryData<string, long> Fixtures_and_costs =>
        new MatrixTheoryData<string, long>(
            [
                "plain-1mb",
                "aes-100kb",
                "aes-v3",
                "one-big",
                "many-small",
                "zip-stored",
                "zip-sharp-deflate",
                "interleaved",
                "hashes-md5",
                "tgz-aes",
            ],
            [0, 16 << 10, 256 << 10]
        );

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [MemberData(nameof(Fixtures_and_costs))]
    public async Task Blocks_are_the_same_by_ranges_and_out_of_whole_volumes(string fixture, long requestCost)
    {
        using RangeBackend backend = await RangeBackend.OpenAsync(fixture, RangeBackend.StoreOf(fixture));
        FetchList demand = await backend.DemandEveryAsync(7);

        Dictionary<int, string> whole = await backend.FetchAsync(
            demand,
            new RangePolicy(RangeReads.Never, requestCost)
        );
        Assert.Equal(demand.Blocks.Select(block => block.Value).Order(), whole.Keys.Order());
        foreach (RangeReads mode in new[] { RangeReads.Auto, RangeReads.Always })
        {
            Dictionary<int, string> found = await backend.FetchAsync(demand, new RangePolicy(mode, requestCost));
            Assert.Equal(whole.OrderBy(block => block.Key), found.OrderBy(block => block.Key));
        }
    }

    [Theory]
    [FixtureData("one-big", "aes-100kb", "interleaved")]
    public async Task One_block_costs_a_small_part_of_its_volume(string fixture)
    {
        using RangeBackend backend = await RangeBackend.OpenAsync(fixture, RangeBackend.StoreOf(fixture));
        Volume volume = backend.Volumes.Blocks.MaxBy(candidate => candidate.SizeBytes)!;
        FetchList demand = await backend.DemandSmallestAsync(volume);
        RangePolicy policy = new(RangeReads.Auto, 16 << 10);
        backend.Store.ForgetReads();

        Assert.Single(await backend.FetchAsync(demand, policy));

        Assert.All(backend.Store.Reads, read => Assert.Equal(volume.FileName, read.Name));
        // One more, and some more bytes, where the directory is longer than the tail.
        Assert.InRange(backend.Store.Reads.Count, 2, 4);
        long estimate = policy.Estimate(volume, demand.BytesOf(demand.Volumes[0]), backend.Store.HasRanges);
        Assert.InRange(backend.Store.BytesRead, policy.TailBytes, estimate + (24 << 10));
        Assert.True(
            backend.Store.BytesRead < volume.SizeBytes / 5,
            $"{backend.Store.BytesRead} of {volume.SizeBytes} bytes were read"
        );
    }

    [Theory]
    [FixtureData("plain-1mb", "one-big")]
    public async Task Reading_a_whole_volume_takes_one_request_and_not_a_byte_more(string fixture)
    {
        using RangeBackend backend = await RangeBackend.OpenAsync(fixture, RangeBackend.StoreOf(fixture));
        FetchList demand = await backend.DemandEveryAsync(1);
        backend.Store.ForgetReads();

        await backend.FetchAsync(demand, new RangePolicy(RangeReads.Auto, 16 << 10));

        Assert.Equal(
            demand.Volumes.Select(wanted => (wanted.Volume.FileName, 0L, (int)wanted.Volume.SizeBytes)).Order(),
            backend.Store.Reads.Order()
        );
    }

    [Fact]
    public async Task A_store_without_ranges_is_read_from_the_start_of_each_volume()
    {
        using RangeBackend backend = await RangeBackend.OpenAsync("one-big", RangeBackend.StoreOf("one-big"));
        backend.Store.HasRanges = false;
        FetchList demand = await backend.DemandEveryAsync(10);

        Assert.Equal(
            demand.Blocks.Length,
            (await backend.FetchAsync(demand, new RangePolicy(RangeReads.Always, 0))).Count
        );
        Assert.All(backend.Store.Reads, read => Assert.Equal(0, read.Offset));
    }

    [Fact]
    public async Task A_store_that_answers_ranges_short_is_read_whole()
    {
        using RangeBackend backend = await RangeBackend.OpenAsync(
            "one-big",
            RangeBackend.StoreOf("one-big", length => length - 1)
        );
        await AssertWholeAsync(backend);
    }

    [Fact]
    public async Task A_store_that_fails_on_ranges_is_read_whole()
    {
        using RangeBackend backend = await RangeBackend.OpenAsync(
            "one-big",
            RangeBackend.StoreOf("one-big", _ => throw new IOException("No ranges today"))
        );
        await AssertWholeAsync(backend);
    }

    [Theory]
    [FixtureData("plain-1mb", "one-big")]
    public async Task A_volume_with_a_damaged_directory_is_read_whole(string fixture)
    {
        // The first byte of the record that ends a zip file; an encrypted volume has a check sum
        // and padding after the record.
        int bytesFromEnd = fixture == "one-big" ? 60 : 22;
        using TempFolder copy = new();
        foreach (string file in Directory.GetFiles(Fixtures.Backup(fixture)))
        {
            byte[] bytes = await File.ReadAllBytesAsync(file, Token);
            bytes[^bytesFromEnd] ^= (byte)(file.Contains(".dblock.", StringComparison.Ordinal) ? 0xFF : 0);
            await File.WriteAllBytesAsync(Path.Combine(copy.Path, Path.GetFileName(file)), bytes, Token);
        }

        using RangeBackend backend = await RangeBackend.OpenAsync(
            fixture,
            ScriptedStore.OfFolder(copy.Path),
            listedBy: Fixtures.Backup(fixture)
        );
        await AssertWholeAsync(backend);
    }

    private static async Task AssertWholeAsync(RangeBackend backend)
    {
        FetchList demand = await backend.DemandEveryAsync(10);
        Dictionary<int, string> found = await backend.FetchAsync(demand, new RangePolicy(RangeReads.Always, 0));
        Assert.Equal(demand.Blocks.Select(block => block.Value).Order(), found.Keys.Order());
        Assert.All(
            demand.Volumes,
            wanted => Assert.Contains((wanted.Volume.FileName, 0L, (int)wanted.Volume.SizeBytes), backend.Store.Reads)
        );
    }
}
