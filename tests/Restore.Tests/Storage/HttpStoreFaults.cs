using System.Security.Cryptography;
using System.Text.RegularExpressions;
using Restore.Memory;
using Restore.Storage;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

/// <summary>
/// What a store over HTTP makes of everything that can go wrong between it and its server.
/// </summary>
public abstract class HttpStoreFaults(StoreServer server)
{
    private const int FileBytes = 1_000_000;
    private const string FileName = "volume.zip";

    private readonly string folder = $"f-{Guid.NewGuid():N}";
    private readonly byte[] content = RandomNumberGenerator.GetBytes(FileBytes);

    // Long enough that a busy machine rarely misses it, short enough to wait for.
    private static readonly (string Name, string Value)[] ShortTimeout = [("read-write-timeout", "700ms")];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<string> BrokenTransfers => ["reset", "ended", "stalled", "short"];

    [Theory]
    [MemberData(nameof(BrokenTransfers))]
    public async Task A_broken_transfer_continues_where_it_stopped(string how)
    {
        const int Arrived = 300_000;
        Fault fault = how switch
        {
            "reset" => new Fault { ResetAfter = Arrived },
            "ended" => new Fault { EndAfter = Arrived },
            "stalled" => new Fault { StallAfter = Arrived },
            _ => new Fault
            {
                EndAfter = Arrived,
                ChangeAnswer = head =>
                    head.Replace($"ength: {FileBytes}", $"ength: {Arrived}", StringComparison.Ordinal),
            },
        };
        await FillAsync();
        await using var proxy = new FaultProxy(server.Port, fault with { On = Fault.IsRead, Times = 1 });
        await using IVolumeStore store = Open(proxy, out MeteredStore meter, how == "stalled" ? ShortTimeout : []);
        byte[] destination = new byte[FileBytes];

        int count = await store.ReadAsync(FileName, 0, destination, Token);

        Assert.Equal(FileBytes, count);
        Assert.True(content.AsSpan().SequenceEqual(destination));
        Assert.Equal(FileBytes, meter.BytesFetched);
        string resumed = proxy.Requests.Last(Fault.IsRead);
        long from = long.Parse(
            resumed.Split("bytes=")[1].Split('-')[0],
            System.Globalization.CultureInfo.InvariantCulture
        );

        // A reset may throw away what was under way, and a busy machine may miss the short timeout;
        // all else that arrived is kept.
        Assert.InRange(from, how is "reset" or "stalled" ? 0 : Arrived, Arrived);
    }

    [Fact]
    public async Task A_body_longer_than_the_file_causes_no_wait()
    {
        await FillAsync();
        await using var proxy = new FaultProxy(
            server.Port,
            new Fault
            {
                On = Fault.IsRead,
                ChangeAnswer = head =>
                    head.Replace($"ength: {FileBytes}", $"ength: {FileBytes + 1}", StringComparison.Ordinal),
            }
        );
        await using IVolumeStore store = Open(proxy, out _);
        byte[] destination = new byte[FileBytes];

        Assert.Equal(FileBytes, await store.ReadAsync(FileName, 0, destination, Token));
        Assert.True(content.AsSpan().SequenceEqual(destination));
    }

    [Fact]
    public async Task A_slow_transfer_that_makes_progress_is_not_cancelled()
    {
        await FillAsync();
        await using var proxy = new FaultProxy(
            server.Port,
            new Fault
            {
                On = Fault.IsRead,
                TrickleBytes = 1_000,
                Latency = TimeSpan.FromMilliseconds(100),
            }
        );
        await using IVolumeStore store = Open(proxy, out MeteredStore meter, ("read-write-timeout", "2s"));
        byte[] destination = new byte[50_000];

        int count = await store.ReadAsync(FileName, 5, destination, Token);

        Assert.Equal(destination.Length, count);
        Assert.Equal(1, meter.Requests);
    }

    [Fact]
    public async Task A_server_that_never_answers_loses_the_file_in_bounded_time()
    {
        await FillAsync();
        await using var proxy = new FaultProxy(server.Port, new Fault { On = Fault.IsRead, StallAfter = -1 });
        await using IVolumeStore store = Open(proxy, out MeteredStore meter, ShortTimeout);

        IOException failure = await Assert.ThrowsAsync<IOException>(async () =>
            await store.ReadAsync(FileName, 0, new byte[10], Token)
        );

        Assert.Equal(
            $"{FileName} could not be read from {store.DisplayName} in 3 tries: The store sent nothing for 0.7 s ({FileName})",
            failure.Message
        );
        Assert.Equal(3, meter.Requests);
    }

    [Theory]
    [InlineData("503 Service Unavailable")]
    [InlineData("500 Internal Server Error")]
    [InlineData("429 Too Many Requests\r\nRetry-After: 0")]
    public async Task A_busy_server_is_asked_again(string answer)
    {
        await FillAsync();
        await using var proxy = new FaultProxy(
            server.Port,
            new Fault
            {
                On = Fault.IsRead,
                Times = 2,
                Answer = answer,
            }
        );
        await using IVolumeStore store = Open(proxy, out MeteredStore meter);

        Assert.Equal(10, await store.ReadAsync(FileName, 0, new byte[10], Token));
        Assert.Equal(3, meter.Requests);
    }

    [Fact]
    public async Task A_server_that_says_how_long_is_left_alone_for_so_long()
    {
        await FillAsync();
        await using var proxy = new FaultProxy(
            server.Port,
            new Fault
            {
                On = Fault.IsRead,
                Times = 1,
                Answer = "429 Too Many Requests\r\nRetry-After: 1",
            }
        );
        await using IVolumeStore store = Open(proxy, out _);
        long start = TimeProvider.System.GetTimestamp();

        Assert.Equal(10, await store.ReadAsync(FileName, 0, new byte[10], Token));
        Assert.InRange(
            TimeProvider.System.GetElapsedTime(start),
            TimeSpan.FromMilliseconds(990),
            TimeSpan.FromSeconds(60)
        );
    }

    [Fact]
    public async Task A_server_that_stays_busy_loses_the_file_and_says_so()
    {
        await FillAsync();
        await using var proxy = new FaultProxy(
            server.Port,
            new Fault { On = Fault.IsRead, Answer = "503 Service Unavailable" }
        );
        await using IVolumeStore store = Open(proxy, out _);

        IOException failure = await Assert.ThrowsAsync<IOException>(async () =>
            await store.ReadAsync(FileName, 0, new byte[10], Token)
        );

        Assert.Contains(
            "in 3 tries: The store answered 503 ServiceUnavailable",
            failure.Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_file_that_is_refused_is_lost_at_once()
    {
        await FillAsync();
        await using var proxy = new FaultProxy(server.Port, new Fault { On = Fault.IsRead, Answer = "403 Forbidden" });
        await using IVolumeStore store = Open(proxy, out MeteredStore meter);

        AccessRefusedException failure = await Assert.ThrowsAsync<AccessRefusedException>(async () =>
            await store.ReadAsync(FileName, 0, new byte[10], Token)
        );

        Assert.Contains($"refused access to {FileName} (403 Forbidden)", failure.Message, StringComparison.Ordinal);
        Assert.Equal(1, meter.Requests);
    }

    [Fact]
    public async Task A_listing_that_is_refused_ends_the_run_at_once()
    {
        await FillAsync();
        await using var proxy = new FaultProxy(
            server.Port,
            new Fault { On = Fault.IsListing, Answer = "403 Forbidden" }
        );
        await using IVolumeStore store = Open(proxy, out MeteredStore meter);

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).ToListAsync(Token)
        );

        Assert.Equal(RestoreErrorCode.AccessRefused, failure.Code);
        Assert.Equal(1, meter.Requests);
    }

    [Fact]
    public async Task Wrong_bytes_are_handed_on_for_the_hashes_to_find()
    {
        await FillAsync();
        await using var proxy = new FaultProxy(server.Port, new Fault { On = Fault.IsRead, WrongByteAt = 77 });
        await using IVolumeStore store = Open(proxy, out _);
        byte[] destination = new byte[FileBytes];

        Assert.Equal(FileBytes, await store.ReadAsync(FileName, 0, destination, Token));
        Assert.Equal((byte)~content[77], destination[77]);
        Assert.Equal(content[78], destination[78]);
    }

    [Fact]
    public async Task A_server_without_ranges_is_read_from_the_start_and_remembered()
    {
        await FillAsync();
        await using var proxy = new FaultProxy(
            server.Port,
            new Fault
            {
                On = Fault.IsRead,
                ChangeRequest = head => Regex.Replace(head, "\r\nRange: [^\r]*", "\r\nX-Range: 0"),
            }
        );
        await using IVolumeStore store = Open(proxy, out _, WithoutRangeSigned);
        byte[] destination = new byte[1000];

        Assert.True(store.HasRanges);
        Assert.Equal(1000, await store.ReadAsync(FileName, 0, destination, Token));
        Assert.False(store.HasRanges);
        Assert.Equal(1000, await store.ReadAsync(FileName, 200_000, destination, Token));

        Assert.True(content.AsSpan(200_000, 1000).SequenceEqual(destination));
        Assert.Equal(500, await store.ReadAsync(FileName, FileBytes - 500, destination, Token));
        Assert.Equal(0, await store.ReadAsync(FileName, FileBytes + 500, destination, Token));
    }

    [Fact]
    public async Task Another_part_than_requested_is_refused()
    {
        await FillAsync();
        await using var proxy = new FaultProxy(
            server.Port,
            new Fault
            {
                On = Fault.IsRead,
                ChangeAnswer = head => head.Replace("bytes 1000-", "bytes 1001-", StringComparison.Ordinal),
            }
        );
        await using IVolumeStore store = Open(proxy, out _);

        IOException failure = await Assert.ThrowsAsync<IOException>(async () =>
            await store.ReadAsync(FileName, 1000, new byte[10], Token)
        );

        Assert.Contains(
            "The store sent another part of volume.zip than was asked for (1000)",
            failure.Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_listing_that_breaks_off_is_made_whole_without_doubles()
    {
        await server.MakeFolderAsync(folder);
        await Parallel.ForEachAsync(
            Enumerable.Range(0, 120),
            Token,
            async (i, _) => await server.PutAsync(folder, $"volume-{i:000}.zip", new byte[i])
        );
        await using var proxy = new FaultProxy(
            server.Port,
            new Fault
            {
                On = Fault.IsListing,
                Times = 1,
                ResetAfter = 20_000,
            },
            new Fault
            {
                On = Fault.IsListing,
                Times = 1,
                Answer = "502 Bad Gateway",
            }
        );
        await using IVolumeStore store = Open(proxy, out _);

        List<StoredFile> files = await store.ListAsync(Token).ToListAsync(Token);

        Assert.Equal(120, files.Count);
        Assert.Equal(Enumerable.Range(0, 120), files.OrderBy(file => file.Name).Select(file => (int)file.SizeBytes));
    }

    [Fact]
    public async Task A_listing_that_stays_broken_ends_the_run()
    {
        await FillAsync();
        await using var proxy = new FaultProxy(server.Port, new Fault { On = Fault.IsListing, EndAfter = 30 });
        await using IVolumeStore store = Open(proxy, out _);

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).ToListAsync(Token)
        );

        Assert.Contains("The store could not be listed in 3 tries", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_store_that_no_longer_answers_is_lost_after_three_files()
    {
        await FillAsync();
        int port;
        await using (var proxy = new FaultProxy(server.Port))
        {
            port = proxy.Port;
        }

        await using IVolumeStore store = server.Open(folder, port);
        for (int file = 1; file <= 2; file++)
        {
            await Assert.ThrowsAsync<IOException>(async () =>
                await store.ReadAsync($"{file}.zip", 0, new byte[10], Token)
            );
        }

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ReadAsync("3.zip", 0, new byte[10], Token)
        );

        Assert.Contains("The store no longer answers", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_read_that_is_cancelled_in_the_middle_leaves_the_buffer_alone_immediately()
    {
        await FillAsync();
        await using var proxy = new FaultProxy(server.Port, new Fault { On = Fault.IsRead, TrickleBytes = 1000 });
        await using IVolumeStore store = Open(proxy, out _);
        var pool = new BufferPool();
        using var givingUp = new CancellationTokenSource(TimeSpan.FromMilliseconds(250));
        byte[] seen;
        using (PooledBuffer buffer = pool.Rent(FileBytes))
        {
            buffer.Span.Clear();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
                await store.ReadAsync(FileName, 0, buffer.Memory, givingUp.Token)
            );
            seen = buffer.Span.ToArray();
            await Task.Delay(200, Token);

            Assert.True(seen.AsSpan().SequenceEqual(buffer.Span));
        }

        Assert.Equal(0, pool.OutstandingBuffers);
    }

    /// <summary>
    /// Options for a server that checks whether the range was changed on the way.
    /// </summary>
    protected virtual (string Name, string Value)[] WithoutRangeSigned => [];

    private async Task FillAsync()
    {
        await server.MakeFolderAsync(folder);
        await server.PutAsync(folder, FileName, content);
    }

    private IVolumeStore Open(FaultProxy proxy, out MeteredStore meter, params (string Name, string Value)[] options) =>
        server.Open(folder, out meter, proxy.Port, options);
}
