using Restore.Storage;

namespace Restore.Tests.Storage;

public sealed class RetryingStoreTests
{
    private static readonly byte[] Content = Enumerable.Range(0, 1000).Select(i => (byte)i).ToArray();

    private readonly FakeClock time = new() { JumpsOverWaits = true };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_read_continues_at_the_byte_where_it_stopped()
    {
        var inner = new ScriptedStore(Content, Broken(300), Broken(0), Broken(200));
        byte[] destination = new byte[800];

        int count = await Retrying(inner).ReadAsync("a", 100, destination, Token);

        Assert.Equal(800, count);
        Assert.Equal(Content[100..900], destination);
        Assert.Equal([("a", 100L, 800), ("a", 400L, 500), ("a", 400L, 500), ("a", 600L, 300)], inner.Reads);
    }

    [Fact]
    public async Task Pauses_are_of_the_given_length_give_or_take_a_quarter()
    {
        var inner = new ScriptedStore(Content, Enumerable.Repeat<Exception?>(Broken(0), 5).ToArray());

        await Retrying(inner).ReadAsync("a", 0, new byte[10], Token);

        Assert.Equal(5, time.Waits.Length);
        Assert.All(time.Waits, wait => Assert.InRange(wait.TotalSeconds, 7.5, 12.5));
    }

    [Fact]
    public async Task Where_nothing_listens_tries_follow_within_seconds_unless_the_store_has_answered_before()
    {
        var nothing = new TransientStoreException("refused") { StoreUnreachable = true, NothingListens = true };
        RetryingStore store = Retrying(new ScriptedStore(Content, nothing, nothing, null, nothing));

        await store.ReadAsync("a", 0, new byte[10], Token);
        await store.ReadAsync("a", 0, new byte[10], Token);

        Assert.Equal([1.0, 1.0], time.Waits[..2].Select(wait => wait.TotalSeconds));
        Assert.InRange(Assert.Single(time.Waits[2..]).TotalSeconds, 7.5, 12.5);
    }

    [Fact]
    public async Task Exponential_pauses_grow_to_five_minutes_at_most()
    {
        var inner = new ScriptedStore(Content, Enumerable.Repeat<Exception?>(Broken(0), 12).ToArray());
        var settings = new TransferSettings { Retries = 12, ExponentialBackoff = true };

        await new RetryingStore(inner, settings, time).ReadAsync("a", 0, new byte[10], Token);

        Assert.True(time.Waits[^1] > TimeSpan.FromSeconds(60), $"the last pause was {time.Waits[^1]}");
        Assert.All(time.Waits, wait => Assert.InRange(wait, TimeSpan.Zero, TimeSpan.FromMinutes(5)));
    }

    [Theory]
    [InlineData(60, 60, 60)]
    [InlineData(100_000, 300, 300)]
    [InlineData(1, 7.5, 12.5)]
    [InlineData(-5, 7.5, 12.5)]
    public async Task What_the_store_asks_for_is_kept_between_the_own_pause_and_five_minutes(
        int askedSeconds,
        double from,
        double to
    )
    {
        var inner = new ScriptedStore(
            Content,
            new TransientStoreException("busy") { RetryAfter = TimeSpan.FromSeconds(askedSeconds) }
        );

        await Retrying(inner).ReadAsync("a", 0, new byte[10], Token);

        Assert.InRange(Assert.Single(time.Waits).TotalSeconds, from, to);
    }

    [Fact]
    public async Task A_file_is_lost_after_the_last_try()
    {
        var inner = new ScriptedStore(Content, Enumerable.Repeat<Exception?>(Broken(1), 6).ToArray());

        IOException failure = await Assert.ThrowsAsync<IOException>(async () =>
            await Retrying(inner).ReadAsync("a", 0, new byte[10], Token)
        );

        Assert.Equal("a could not be read from scripted://store in 6 tries: broken", failure.Message);
        Assert.Equal(6, inner.Reads.Count);
    }

    [Fact]
    public async Task Without_retries_there_is_one_try()
    {
        var inner = new ScriptedStore(Content, Broken(0));
        var store = new RetryingStore(inner, new TransferSettings { Retries = 0 }, time);

        await Assert.ThrowsAsync<IOException>(async () => await store.ReadAsync("a", 0, new byte[10], Token));

        Assert.Single(inner.Reads);
        Assert.Empty(time.Waits);
    }

    [Fact]
    public async Task A_permanent_failure_is_not_retried()
    {
        Exception[] failures =
        [
            new FileNotFoundException("a is gone"),
            new AccessRefusedException("no"),
            new RestoreException(RestoreErrorCode.StoreLost, "never"),
            new IOException("400"),
        ];
        foreach (Exception failure in failures)
        {
            var inner = new ScriptedStore(Content, failure);

            Exception seen = await Assert.ThrowsAnyAsync<Exception>(async () =>
                await Retrying(inner).ReadAsync("a", 0, new byte[10], Token)
            );

            Assert.Same(failure, seen);
            Assert.Single(inner.Reads);
        }
    }

    [Fact]
    public async Task Three_files_in_a_row_that_nothing_answers_for_are_the_end_of_the_store()
    {
        var inner = new ScriptedStore(Content, Enumerable.Repeat<Exception?>(Unreachable(), 100).ToArray());
        var store = new RetryingStore(inner, new TransferSettings { Retries = 1 }, time);

        await Assert.ThrowsAsync<IOException>(async () => await store.ReadAsync("a", 0, new byte[10], Token));
        await Assert.ThrowsAsync<IOException>(async () => await store.ReadAsync("b", 0, new byte[10], Token));
        await Assert.ThrowsAsync<RestoreException>(async () => await store.ReadAsync("c", 0, new byte[10], Token));
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ReadAsync("d", 0, new byte[10], Token)
        );

        Assert.Equal(6, inner.Reads.Count);
        Assert.Equal("The store no longer answers (scripted://store)", failure.Message);
    }

    [Fact]
    public async Task A_successful_read_in_between_shows_that_the_store_answers()
    {
        var inner = new ScriptedStore(Content, Unreachable(), Unreachable(), null, Unreachable(), Unreachable(), null);
        var store = new RetryingStore(inner, new TransferSettings { Retries = 0 }, time);
        foreach (
            (string name, bool isReadable) in new[]
            {
                ("a", false),
                ("b", false),
                ("c", true),
                ("d", false),
                ("e", false),
                ("f", true),
            }
        )
        {
            ValueTask<int> reading = store.ReadAsync(name, 0, new byte[10], Token);
            if (isReadable)
            {
                Assert.Equal(10, await reading);
            }
            else
            {
                await Assert.ThrowsAsync<IOException>(async () => await reading);
            }
        }
    }

    [Fact]
    public async Task One_file_without_an_answer_is_lost_in_all_its_pieces_and_the_store_is_not()
    {
        var inner = new ScriptedStore(Content, Enumerable.Repeat<Exception?>(Unreachable(), 5).ToArray());
        var store = new RetryingStore(inner, new TransferSettings { Retries = 0 }, time);
        foreach (int offset in new[] { 0, 10, 20, 30, 40 })
        {
            await Assert.ThrowsAsync<IOException>(async () => await store.ReadAsync("a", offset, new byte[10], Token));
        }

        Assert.Equal(10, await store.ReadAsync("b", 0, new byte[10], Token));
    }

    [Fact]
    public async Task A_listing_that_starts_over_gives_each_file_once()
    {
        var inner = new ScriptedStore(Content, Broken(0), Broken(0))
        {
            Listed = [new("a", 1), new("b", 2), new("c", 3)],
            ListedBeforeFailure = 2,
        };

        List<StoredFile> files = await Retrying(inner).ListAsync(Token).ToListAsync(Token);

        Assert.Equal([new("a", 1), new("b", 2), new("c", 3)], files);
        Assert.Equal(3, inner.Listings);
    }

    [Theory]
    [InlineData(4, 1000, 5)]
    [InlineData(1000, 30, 4)]
    public async Task A_listing_of_ever_new_names_ends(int mostFiles, int mostCharacters, int asked)
    {
        int made = 0;
        var inner = new ScriptedStore(Content)
        {
            Listed = Enumerable.Range(0, int.MaxValue).Select(i => new StoredFile($"name{made++:D6}", i)),
        };
        await using RetriedListing listing = new(inner, Token)
        {
            MostFiles = mostFiles,
            MostCharacters = mostCharacters,
        };

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
        {
            while (await listing.NextAsync()) { }
        });

        Assert.Equal(RestoreErrorCode.ListingTooLong, failure.Code);
        Assert.Equal(asked, made);
    }

    [Fact]
    public async Task A_listing_of_names_that_no_backup_has_ends_too()
    {
        var inner = new ScriptedStore(Content)
        {
            Listed = Enumerable.Range(0, int.MaxValue).Select(i => new StoredFile("folder/", i)),
        };
        await using RetriedListing listing = new(inner, Token) { MostFiles = 4 };

        Assert.Equal(
            RestoreErrorCode.ListingTooLong,
            (await Assert.ThrowsAsync<RestoreException>(async () => await listing.NextAsync())).Code
        );
    }

    [Fact]
    public async Task A_listing_that_fails_to_the_end_ends_the_run()
    {
        var inner = new ScriptedStore(Content, Enumerable.Repeat<Exception?>(Unreachable(), 6).ToArray());

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await Retrying(inner).ListAsync(Token).ToListAsync(Token)
        );

        Assert.Equal("The store could not be listed in 6 tries: refused (scripted://store)", failure.Message);
    }

    [Fact]
    public async Task Giving_up_ends_the_pause()
    {
        var inner = new ScriptedStore(Content, Broken(0));
        var store = new RetryingStore(
            inner,
            new TransferSettings { RetryDelay = TimeSpan.FromHours(1) },
            TimeProvider.System
        );
        using var givingUp = new CancellationTokenSource(TimeSpan.FromMilliseconds(50));

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
            await store.ReadAsync("a", 0, new byte[10], givingUp.Token)
        );
    }

    [Fact]
    public async Task A_meter_below_counts_every_try_and_every_byte()
    {
        var meter = new MeteredStore(new ScriptedStore(Content, Broken(300), Broken(0)));

        await Retrying(meter).ReadAsync("a", 0, new byte[1000], Token);

        Assert.Equal(3, meter.Requests);
        Assert.Equal(1000, meter.BytesFetched);
    }

    [Theory]
    [InlineData("..")]
    [InlineData(".")]
    [InlineData("a/b.zip")]
    [InlineData("a\\b.zip")]
    [InlineData("a\0.zip")]
    [InlineData("")]
    public async Task A_name_that_no_file_of_a_folder_can_have_is_left_out(string name)
    {
        var inner = new ScriptedStore(Content) { Listed = [new(name, 1), new("a.zip", 2)] };

        Assert.Equal([new("a.zip", 2)], await Retrying(inner).ListAsync(Token).ToListAsync(Token));
    }

    private RetryingStore Retrying(IVolumeStore inner) => new(inner, new TransferSettings(), time);

    private static TransientStoreException Broken(int bytesRead) => new("broken") { BytesRead = bytesRead };

    private static TransientStoreException Unreachable() => new("refused") { StoreUnreachable = true };
}
