using Restore.Csp;

namespace Restore.Tests.Csp;

/// <summary>An item is disposed once: by the one that took it out, or else by the batch.</summary>
public sealed class BatchTests
{
    private readonly Ledger ledger = new();

    [Fact]
    public void Items_come_out_in_the_order_in_which_they_went_in()
    {
        using Messages batch = BatchOf(3);
        List<int> numbers = [];
        while (batch.TryTake(out Item item))
        {
            using Item taken = item;
            numbers.Add(item.Message.Number);
        }

        Assert.Equal([0, 1, 2], numbers);
        Assert.False(batch.TryTake(out _));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    [InlineData(5)]
    public void Disposing_disposes_only_the_items_that_are_left(int takenCount)
    {
        Messages batch = BatchOf(5);
        List<Item> taken = [];
        for (int i = 0; i < takenCount; i++)
        {
            Assert.True(batch.TryTake(out Item item));
            taken.Add(item);
        }

        batch.Dispose();
        Assert.All(taken, item => Assert.Equal(0, item.Message.Disposals));
        taken.ForEach(item => item.Dispose());
        ledger.AssertEachDisposedOnce();
    }

    [Fact]
    public void A_second_disposal_does_nothing()
    {
        Messages batch = BatchOf(3);
        batch.Dispose();
        batch.Dispose();
        ledger.AssertEachDisposedOnce();
    }

    [Fact]
    public void A_batch_counts_added_bytes_and_remaining_items()
    {
        using Messages batch = BatchOf(3);
        Assert.True(batch.TryTake(out Item item));
        using Item taken = item;
        Assert.Equal((2, 300), (batch.Count, batch.Bytes));
    }

    [Fact]
    public async Task A_batch_that_cannot_be_delivered_disposes_its_items()
    {
        Channel<Messages> channel = new("left", 1);
        using IWriteChannelEnd<Messages> writer = channel.Writer();
        channel.Reader().Dispose();
        await Assert.ThrowsAsync<RetiredException>(() => writer.WriteAsync(BatchOf(3)).AsTask());
        Assert.Equal(3, ledger.Created);
        ledger.AssertEachDisposedOnce();
    }

    private Messages BatchOf(int count)
    {
        Messages batch = new();
        for (int i = 0; i < count; i++)
        {
            batch.Add(new Item(ledger.Create(i)));
        }

        return batch;
    }

    private readonly record struct Item(Ledger.Message Message) : IDisposable, IMeasured
    {
        public long Bytes => Message.Bytes;

        public void Dispose() => Message.Dispose();
    }

    private sealed class Messages : Batch<Item>;
}
