using Restore.Csp;

namespace Restore.Tests.Csp;

public sealed class ChannelTests
{
    [Fact]
    public async Task Messages_arrive_in_the_order_they_were_written()
    {
        Channel<int> channel = new("numbers", 4);
        using IReadChannelEnd<int> reader = channel.Reader();
        using IWriteChannelEnd<int> writer = channel.Writer();

        Task writing = Task.Run(async () =>
        {
            for (int i = 0; i < 1000; i++)
            {
                await writer.WriteAsync(i);
            }

            writer.Dispose();
        });
        List<int> read = [];
        await foreach (int number in reader.ReadAllAsync())
        {
            read.Add(number);
        }

        await writing.Soon();
        Assert.Equal(Enumerable.Range(0, 1000), read);
    }

    [Fact]
    public async Task A_writer_waits_while_the_channel_is_full()
    {
        Channel<int> channel = new("numbers", 2);
        using IReadChannelEnd<int> reader = channel.Reader();
        using IWriteChannelEnd<int> writer = channel.Writer();
        await writer.WriteAsync(1).Soon();
        await writer.WriteAsync(2).Soon();

        Task third = writer.WriteAsync(3).AsTask();
        Assert.False(third.IsCompleted);

        Assert.Equal(1, await reader.ReadAsync().Soon());
        await third.Soon();
    }

    [Fact]
    public async Task A_channel_holds_as_many_messages_as_its_capacity_says()
    {
#if COCOL
        const int Held = 64;
#else
        const int Held = 1000;
#endif
        Channel<int> channel = new("numbers", 1000);
        using IReadChannelEnd<int> reader = channel.Reader();
        using IWriteChannelEnd<int> writer = channel.Writer();
        for (int i = 0; i < Held; i++)
        {
            await writer.WriteAsync(i).Soon();
        }

        Task next = writer.WriteAsync(Held).AsTask();
        Assert.False(next.IsCompleted);

        Assert.Equal(0, await reader.ReadAsync().Soon());
        await next.Soon();
    }

    [Fact]
    public async Task A_reader_waits_while_the_channel_is_empty()
    {
        Channel<string> channel = new("words", 1);
        using IReadChannelEnd<string> reader = channel.Reader();
        using IWriteChannelEnd<string> writer = channel.Writer();

        Task<string> reading = reader.ReadAsync().AsTask();
        Assert.False(reading.IsCompleted);

        await writer.WriteAsync("hello").Soon();
        Assert.Equal("hello", await reading.Soon());
    }

    [Fact]
    public async Task When_the_last_writer_has_left_readers_drain_the_channel_and_see_the_end()
    {
        Channel<int> channel = new("numbers", 4);
        using IReadChannelEnd<int> reader = channel.Reader();
        IWriteChannelEnd<int> first = channel.Writer();
        IWriteChannelEnd<int> last = channel.Writer();
        await first.WriteAsync(1).Soon();
        first.Dispose();
        await last.WriteAsync(2).Soon();
        last.Dispose();

        Assert.Equal((true, 1), await reader.TryReadAsync().Soon());
        Assert.Equal((true, 2), await reader.TryReadAsync().Soon());
        Assert.Equal((false, 0), await reader.TryReadAsync().Soon());
        RetiredException retired = await Assert.ThrowsAsync<RetiredException>(() => reader.ReadAsync().Soon());
        Assert.Equal("The channel numbers is retired: everybody at its other side has left", retired.Message);
    }

    [Fact]
    public async Task Readers_that_wait_see_the_end_when_the_last_writer_leaves()
    {
        Channel<int> channel = new("numbers", 1);
        using IReadChannelEnd<int> one = channel.Reader();
        using IReadChannelEnd<int> two = channel.Reader();
        IWriteChannelEnd<int> writer = channel.Writer();
        Task<(bool Arrived, int)> first = one.TryReadAsync().AsTask();
        Task<(bool Arrived, int)> second = two.TryReadAsync().AsTask();

        writer.Dispose();

        Assert.False((await first.Soon()).Arrived);
        Assert.False((await second.Soon()).Arrived);
    }

    [Fact]
    public async Task A_channel_stays_open_while_one_reader_and_one_writer_are_left()
    {
        Channel<int> channel = new("numbers", 1);
        IReadChannelEnd<int> gone = channel.Reader();
        using IReadChannelEnd<int> reader = channel.Reader();
        IWriteChannelEnd<int> left = channel.Writer();
        using IWriteChannelEnd<int> writer = channel.Writer();
        gone.Dispose();
        left.Dispose();

        await writer.WriteAsync(7).Soon();

        Assert.Equal(7, await reader.ReadAsync().Soon());
    }

    [Fact]
    public async Task Leaving_twice_is_leaving_once()
    {
        Channel<int> channel = new("numbers", 1);
        using IReadChannelEnd<int> reader = channel.Reader();
        IWriteChannelEnd<int> left = channel.Writer();
        using IWriteChannelEnd<int> writer = channel.Writer();
        left.Dispose();
        left.Dispose();

        await writer.WriteAsync(7).Soon();

        Assert.Equal(7, await reader.ReadAsync().Soon());
    }

    [Fact]
    public async Task When_the_last_reader_has_left_writers_get_an_exception_and_messages_are_disposed()
    {
        Ledger ledger = new();
        Channel<Ledger.Message> channel = new("messages", 2);
        IReadChannelEnd<Ledger.Message> reader = channel.Reader();
        using IWriteChannelEnd<Ledger.Message> writer = channel.Writer();
        await writer.WriteAsync(ledger.Create(1)).Soon();
        await writer.WriteAsync(ledger.Create(2)).Soon();
        Task waiting = writer.WriteAsync(ledger.Create(3)).AsTask();

        reader.Dispose();

        await Assert.ThrowsAsync<RetiredException>(() => waiting.Soon());
        await Assert.ThrowsAsync<RetiredException>(() => writer.WriteAsync(ledger.Create(4)).Soon());
        Assert.Equal(4, ledger.Created);
        ledger.AssertEachDisposedOnce();
    }

    [Fact]
    public async Task Buffered_messages_are_disposed_when_the_writers_leave_first_and_the_readers_next()
    {
        Ledger ledger = new();
        Channel<Ledger.Message> channel = new("messages", 4);
        IReadChannelEnd<Ledger.Message> reader = channel.Reader();
        IWriteChannelEnd<Ledger.Message> writer = channel.Writer();
        await writer.WriteAsync(ledger.Create(1)).Soon();
        await writer.WriteAsync(ledger.Create(2)).Soon();

        writer.Dispose();
        reader.Dispose();

        ledger.AssertEachDisposedOnce();
    }

    [Fact]
    public async Task An_end_that_was_left_cannot_be_used()
    {
        Ledger ledger = new();
        Channel<Ledger.Message> channel = new("messages", 1);
        using IReadChannelEnd<Ledger.Message> reader = channel.Reader();
        IReadChannelEnd<Ledger.Message> leftReader = channel.Reader();
        using IWriteChannelEnd<Ledger.Message> writer = channel.Writer();
        IWriteChannelEnd<Ledger.Message> leftWriter = channel.Writer();
        leftReader.Dispose();
        leftWriter.Dispose();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => leftReader.ReadAsync().Soon());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => leftWriter.WriteAsync(ledger.Create(1)).Soon());
        ledger.AssertEachDisposedOnce();
    }

    [Fact]
    public void A_channel_without_room_for_a_message_is_refused() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new Channel<int>("numbers", 0));

#if !COCOL
    [Fact]
    public void What_need_not_wait_completes_at_once()
    {
        Channel<int> channel = new("numbers", 1);
        using IReadChannelEnd<int> reader = channel.Reader();
        using IWriteChannelEnd<int> writer = channel.Writer();

        Assert.True(writer.WriteAsync(1).AsTask().IsCompletedSuccessfully);
        Assert.True(reader.TryReadAsync().AsTask().IsCompletedSuccessfully);
        Assert.True(writer.WriteAsync(2).AsTask().IsCompletedSuccessfully);
        Assert.True(reader.ReadAsync().AsTask().IsCompletedSuccessfully);
    }
#endif

    [Fact]
    public async Task A_reader_does_not_run_on_the_stack_of_the_writer_that_wakes_it()
    {
        Channel<int> channel = new("numbers", 1);
        using IReadChannelEnd<int> reader = channel.Reader();
        using IWriteChannelEnd<int> writer = channel.Writer();
        using ManualResetEventSlim writerIsDone = new();
        Task reading = ReadAndWaitForWriterAsync();

        await writer.WriteAsync(1).AsTask();
        writerIsDone.Set();

        await reading.Soon();

        async Task ReadAndWaitForWriterAsync()
        {
            await reader.ReadAsync().ConfigureAwait(false);

            // On the writer's stack this would wait for itself.
            Assert.True(writerIsDone.Wait(TimeSpan.FromSeconds(60)));
        }
    }
}
