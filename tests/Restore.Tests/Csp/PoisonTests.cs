using Restore.Csp;

namespace Restore.Tests.Csp;

public sealed class PoisonTests
{
    private readonly Ledger _ledger = new();
    private readonly Channel<Ledger.Message> _channel = new("messages", 2);
    private readonly IOException _cause = new("the disk is gone");

    [Fact]
    public async Task Poison_in_an_empty_channel_reaches_both_sides()
    {
        using IReadChannelEnd<Ledger.Message> reader = _channel.Reader();
        using IWriteChannelEnd<Ledger.Message> writer = _channel.Writer();

        _channel.Poison(_cause);

        PoisonedException poisoned = await Assert.ThrowsAsync<PoisonedException>(() => reader.ReadAsync().Soon());
        Assert.Same(_cause, poisoned.InnerException);
        Assert.Equal("The channel messages was ended by a failure elsewhere: the disk is gone", poisoned.Message);
        await Assert.ThrowsAsync<PoisonedException>(() => reader.TryReadAsync().Soon());
        await Assert.ThrowsAsync<PoisonedException>(() => writer.WriteAsync(_ledger.Create(1)).Soon());
        _ledger.AssertEachDisposedOnce();
    }

    [Fact]
    public async Task Poison_in_a_full_channel_disposes_what_is_buffered()
    {
        using IReadChannelEnd<Ledger.Message> reader = _channel.Reader();
        using IWriteChannelEnd<Ledger.Message> writer = _channel.Writer();
        await writer.WriteAsync(_ledger.Create(1)).Soon();
        await writer.WriteAsync(_ledger.Create(2)).Soon();

        _channel.Poison(_cause);

        _ledger.AssertEachDisposedOnce();
        await Assert.ThrowsAsync<PoisonedException>(() => reader.ReadAsync().Soon());
    }

    [Fact]
    public async Task Poison_wakes_readers_that_wait()
    {
        using IReadChannelEnd<Ledger.Message> reader = _channel.Reader();
        using IReadChannelEnd<Ledger.Message> other = _channel.Reader();
        using IWriteChannelEnd<Ledger.Message> writer = _channel.Writer();
        Task<Ledger.Message> waiting = reader.ReadAsync().AsTask();
        Task<(bool, Ledger.Message)> alsoWaiting = other.TryReadAsync().AsTask();

        _channel.Poison(_cause);

        await Assert.ThrowsAsync<PoisonedException>(() => waiting.Soon());
        await Assert.ThrowsAsync<PoisonedException>(() => alsoWaiting.Soon());
    }

    [Fact]
    public async Task Poison_wakes_writers_that_wait_and_disposes_their_messages()
    {
        using IReadChannelEnd<Ledger.Message> reader = _channel.Reader();
        using IWriteChannelEnd<Ledger.Message> writer = _channel.Writer();
        using IWriteChannelEnd<Ledger.Message> other = _channel.Writer();
        await writer.WriteAsync(_ledger.Create(1)).Soon();
        await writer.WriteAsync(_ledger.Create(2)).Soon();
        Task waiting = writer.WriteAsync(_ledger.Create(3)).AsTask();
        Task alsoWaiting = other.WriteAsync(_ledger.Create(4)).AsTask();

        _channel.Poison(_cause);

        await Assert.ThrowsAsync<PoisonedException>(() => waiting.Soon());
        await Assert.ThrowsAsync<PoisonedException>(() => alsoWaiting.Soon());
        _ledger.AssertEachDisposedOnce();
    }

    [Fact]
    public async Task Poison_reaches_readers_that_drain_a_channel_its_writers_have_left()
    {
        using IReadChannelEnd<Ledger.Message> reader = _channel.Reader();
        IWriteChannelEnd<Ledger.Message> writer = _channel.Writer();
        await writer.WriteAsync(_ledger.Create(1)).Soon();
        await writer.WriteAsync(_ledger.Create(2)).Soon();
        writer.Dispose();
        (await reader.ReadAsync().Soon()).Dispose();

        _channel.Poison(_cause);

        await Assert.ThrowsAsync<PoisonedException>(() => reader.ReadAsync().Soon());
        _ledger.AssertEachDisposedOnce();
    }

    [Fact]
    public async Task The_first_poison_is_the_one_that_is_told()
    {
        using IReadChannelEnd<Ledger.Message> reader = _channel.Reader();
        using IWriteChannelEnd<Ledger.Message> writer = _channel.Writer();

        _channel.Poison(_cause);
        _channel.Poison(new InvalidOperationException("later"));

        PoisonedException poisoned = await Assert.ThrowsAsync<PoisonedException>(() => reader.ReadAsync().Soon());
        Assert.Same(_cause, poisoned.InnerException);
    }

    [Fact]
    public async Task Ends_of_a_poisoned_channel_can_be_left()
    {
        IReadChannelEnd<Ledger.Message> reader = _channel.Reader();
        IWriteChannelEnd<Ledger.Message> writer = _channel.Writer();
        await writer.WriteAsync(_ledger.Create(1)).Soon();

        _channel.Poison(_cause);
        reader.Dispose();
        writer.Dispose();

        Assert.Equal((0, 0), (_channel.Readers, _channel.Writers));
        _ledger.AssertEachDisposedOnce();
    }
}
