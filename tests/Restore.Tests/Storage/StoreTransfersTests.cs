using Restore.Storage;
using Restore.Storage.Http;

namespace Restore.Tests.Storage;

public sealed class StoreTransfersTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_throttle_makes_the_bytes_take_their_time()
    {
        var time = new FakeClock { JumpsOverWaits = true };
        var reader = new StoreTransfers(
            new TransferSettings { Rates = RateSchedule.Constant(100_000), ProgressTimeout = Timeout.InfiniteTimeSpan },
            time
        );
        byte[] content = new byte[1_000_000];

        int count = await reader.ReadBodyAsync(
            new MemoryStream(content),
            Whole(content.Length),
            "a",
            0,
            new byte[content.Length],
            Token
        );

        Assert.Equal(content.Length, count);
        Assert.InRange(time.Waits.Sum(wait => wait.TotalSeconds), 9.9, 10.1);
        Assert.All(time.Waits, wait => Assert.InRange(wait.TotalSeconds, 0, 0.11));
    }

    [Fact]
    public async Task A_throttle_is_one_for_all_transfers_of_a_store()
    {
        var time = new FakeClock { JumpsOverWaits = true };
        var throttle = new TransferThrottle(1000, time);

        ValueTask first = throttle.PayAsync(500, Token);
        ValueTask second = throttle.PayAsync(500, Token);
        await first;
        await second;

        Assert.InRange(time.Waits.Max().TotalSeconds, 0.5, 1.0);
        Assert.InRange(time.Elapsed.TotalSeconds, 1.0, 1.5);
    }

    [Theory]
    [InlineData("throttle-download", "100kb")]
    [InlineData("throttle-download", "00:00,off 00:01,100k")]
    [InlineData("bwlimit", "00:00,off 00:01,100k")]
    public async Task A_folder_that_may_be_mounted_from_a_server_is_read_at_the_rate(string option, string rate)
    {
        using TempFolder folder = new();
        byte[] content = System.Security.Cryptography.RandomNumberGenerator.GetBytes(1_000_000);
        await File.WriteAllBytesAsync(Path.Join(folder.Path, "volume"), content, Token);
        FakeClock clock = new() { JumpsOverWaits = true };
        Dictionary<string, string> options = new() { [option] = rate, ["read-write-timeout"] = "0" };
        await using MeteredStore store = StoreFactory.Open(folder.Path, StoreRegistry.Default, options, clock);
        byte[] read = new byte[content.Length];

        Assert.Equal(content.Length - 10, await store.ReadAsync("volume", 10, read, Token));

        Assert.Equal(content[10..], read[..^10]);
        Assert.Equal((1, content.Length - 10, 102_400), (store.Requests, store.BytesFetched, store.BytesPerSecond));
        Assert.InRange(clock.Elapsed.TotalSeconds, 9.7, 10);
    }

    [Fact]
    public async Task A_stalled_transfer_reports_the_time_and_the_bytes_so_far()
    {
        var reader = new StoreTransfers(
            new TransferSettings { ProgressTimeout = TimeSpan.FromMilliseconds(100) },
            TimeProvider.System
        );
        using var body = new StallingStream(70);

        TransientStoreException failure = await Assert.ThrowsAsync<TransientStoreException>(async () =>
            await reader.ReadBodyAsync(body, Whole(null), "a.zip", 0, new byte[100], Token)
        );

        Assert.Equal("The store sent nothing for 0.1 s (a.zip)", failure.Message);
        Assert.Equal(70, failure.BytesRead);
    }

    [Fact]
    public async Task A_cancellation_is_not_a_timeout()
    {
        var reader = new StoreTransfers(new TransferSettings(), TimeProvider.System);
        using var body = new StallingStream(70);
        using var givingUp = new CancellationTokenSource(TimeSpan.FromMilliseconds(50));

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
            await reader.ReadBodyAsync(body, Whole(null), "a", 0, new byte[100], givingUp.Token)
        );
    }

    [Theory]
    [InlineData(0, 100, 100)]
    [InlineData(90, 100, 10)]
    [InlineData(100, 10, 0)]
    [InlineData(150, 10, 0)]
    public async Task The_whole_file_in_place_of_a_range_is_skipped_to_the_offset(long offset, int length, int expected)
    {
        byte[] content = Enumerable.Range(0, 100).Select(i => (byte)i).ToArray();
        byte[] destination = new byte[length];

        int count = await Reader()
            .ReadBodyAsync(new MemoryStream(content), Whole(content.Length), "a", offset, destination, Token);

        Assert.Equal(content.Skip((int)offset).Take(expected), destination.Take(count));
        Assert.Equal(expected, count);
    }

    [Fact]
    public async Task A_body_that_ends_before_the_file_does_is_a_broken_transfer()
    {
        var info = new RangeAnswer(true, From: 10, FileBytes: 200, BodyBytes: 100);

        TransientStoreException failure = await Assert.ThrowsAsync<TransientStoreException>(async () =>
            await Reader().ReadBodyAsync(new MemoryStream(new byte[40]), info, "a.zip", 10, new byte[100], Token)
        );

        Assert.Equal("The store sent 40 bytes of a.zip from 10, though it has 200 in all", failure.Message);
        Assert.Equal(40, failure.BytesRead);
    }

    [Fact]
    public async Task A_part_without_its_place_is_not_taken()
    {
        var info = new RangeAnswer(true, null, null, 100);

        await Assert.ThrowsAsync<TransientStoreException>(async () =>
            await Reader().ReadBodyAsync(new MemoryStream(new byte[100]), info, "a", 0, new byte[100], Token)
        );
    }

    private static StoreTransfers Reader() => new(new TransferSettings(), TimeProvider.System);

    private static RangeAnswer Whole(long? length) => new(false, null, null, length);

    private sealed class StallingStream(int bytesBefore) : MemoryStream(new byte[bytesBefore])
    {
        public override async ValueTask<int> ReadAsync(
            Memory<byte> buffer,
            CancellationToken cancellationToken = default
        )
        {
            int count = Read(buffer.Span);
            if (count == 0)
            {
                await Task.Delay(Timeout.Infinite, cancellationToken);
            }

            return count;
        }
    }
}
