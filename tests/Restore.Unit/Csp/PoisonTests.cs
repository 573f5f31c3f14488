using Restore.Csp;

namespace Restore.Tests.Csp;

public sealed class PoisonTests
{
    private readonly Ledger ledger = new();
    private readonly Channel<Ledger.Message> channel = new("messages", 2);
    private readonly IOException cause = new("the disk is gone");

    [Fact]
    public async Task Poison_in_an_empty_channel_reaches_both_sides()
    {
        using IReadChannelEnd<Ledger.Message> reader = channel.Reader();
        using IWriteChannelEnd<Ledger.Message> writer = channel.Writer();

        channel.Poison(cause);

        PoisonedException poisoned = await Assert.ThrowsAsync<PoisonedException>(() => reader.ReadAsync().Soon());
        Assert.Same(cause, poisoned.InnerException);
        Assert.Equal("The channel messages was ended by a failure elsewhere: the disk is gone", poisoned.Message);
        await Assert.ThrowsAsync<PoisonedException>(() => reader.TryReadAsync().Soon());
        await Assert.ThrowsAsync<PoisonedException>(() => writer.WriteAsync(ledger.Create(1)).Soon());
        ledger.AssertEachDisposedOnce();
    }

    [Fact]
    public async Task Poison_in_a_full_channel_disposes_what_is_buffered()
    {
        using IReadChannelEnd<Ledger.Message> reader = channel.Reader();
        using IWriteChannelEnd<Ledger.Message> writer = channel.Writer();
        await writer.WriteAsync(ledger.Create(1)).Soon();
        await writer.WriteAsync(ledger.Create(2)).Soon();

        channel.Poison(cause);

        ledger.AssertEachDisposedOnce();
        await Assert.ThrowsAsync<PoisonedException>(() => reader.ReadAsync().Soon());
    }

    [Fact]
    public async Task Poison_wakes_readers_that_wait()
    {
        using IReadChannelEnd<Ledger.Message> reader = channel.Reader();
        using IReadChannelEnd<Ledger.Message> other = channel.Reader();
        using IWriteChannelEnd<Ledger.Message> writer = channel.Writer();
        Task<Ledger.Message> waiting = reader.ReadAsync().AsTask();
        Task<(bool, Ledger.Message)> alsoWaiting = other.TryReadAsync().AsTask();

        channel.Poison(cause);

        await Assert.ThrowsAsync<PoisonedException>(() => waiting.Soon());
        await Assert.ThrowsAsync<PoisonedException>(() => alsoWaiting.Soon());
    }

    [Fact]
    public async Task Poison_wakes_writers_that_wait_and_disposes_their_messages()
    {
        using IReadChannelEnd<Ledger.Message> reader = channel.Reader();
        using IWriteChannelEnd<Ledger.Message> writer = channel.Writer();
        using IWriteChannelEnd<Ledger.Message> other = channel.Writer();
        await writer.WriteAsync(ledger.Create(1)).Soon();
        await writer.WriteAsync(ledger.Create(2)).Soon();
        Task waiting = writer.WriteAsync(ledger.Create(3)).AsTask();
        Task alsoWaiting = other.WriteAsync(ledger.Create(4)).AsTask();

        channel.Poison(cause);

        await Assert.ThrowsAsync<PoisonedException>(() => waiting.Soon());
        await Assert.ThrowsAsync<PoisonedException>(() => alsoWaiting.Soon());
        ledger.AssertEachDisposedOnce();
    }

    [Fact]
    public async Task Poison_reaches_readers_that_drain_a_channel_its_writers_have_left()
    {
        using IReadChannelEnd<Ledger.Message> reader = channel.Reader();
        IWriteChannelEnd<Ledger.Message> writer = channel.Writer();
        await writer.WriteAsync(ledger.Create(1)).Soon();
        await writer.WriteAsync(ledger.Create(2)).Soon();
        writer.Dispose();
        (await reader.ReadAsync().Soon()).Dispose();

        channel.Poison(cause);

        await Assert.ThrowsAsync<PoisonedException>(() => reader.ReadAsync().Soon());
        ledger.AssertEachDisposedOnce();
    }

    [Fact]
    public async Task The_first_poison_is_the_one_that_is_reported()
    {
        using IReadChannelEnd<Ledger.Message> reader = channel.Reader();
        using IWriteChannelEnd<Ledger.Message> writer = channel.Writer();

        channel.Poison(cause);
        channel.Poison(new InvalidOperationException("later"));

        PoisonedException poisoned = await Assert.ThrowsAsync<PoisonedException>(() => reader.ReadAsync().Soon());
        Assert.Same(cause, poisoned.InnerException);
    }

    [Fact]
    public async Task Ends_of_a_poisoned_channel_can_be_left()
    {
        IReadChannelEnd<Ledger.Message> reader = channel.Reader();
        IWriteChannelEnd<Ledger.Message> writer = channel.Writer();
        await writer.WriteAsync(ledger.Create(1)).Soon();

        channel.Poison(cause);
        reader.Dispose();
        writer.Dispose();

        Assert.Equal((0, 0), (channel.Readers, channel.Writers));
        ledger.AssertEachDisposedOnce();
    }
}
