using Restore.Reading;

namespace Restore.Tests.Reading;

public sealed class DownloadGateTests
{
    private const int Most = 16;
    private const int Transfers = 2_000;
    private const long TransferBytes = 1_000_000;

    [Fact]
    public void While_each_transfer_brings_as_much_as_the_others_there_are_more_up_to_the_most() =>
        Assert.Equal(Most, Run(width => 5e6 * width).Width);

    [Fact]
    public void A_link_that_four_transfers_fill_gets_no_more_but_for_a_try_now_and_then()
    {
        var gate = Run(_ => 100e6);
        Assert.InRange(gate.Width, DownloadGate.Least, DownloadGate.Least + 1);
        Assert.Equal(DownloadGate.Least + 1, gate.Widest);
    }

    [Fact]
    public void There_are_as_many_as_pay()
    {
        var gate = Run(width => 5e6 * Math.Min(width, 9));
        Assert.InRange(gate.Width, 9, 10);
        Assert.Equal(10, gate.Widest);
    }

    [Fact]
    public void A_server_that_throttles_gets_fewer_requests()
    {
        var gate = Run(width => width <= 7 ? 5e6 * width : 1e6);
        Assert.InRange(gate.Width, 7, 8);
        Assert.Equal(8, gate.Widest);
    }

    [Fact]
    public void A_link_that_gets_better_is_noticed()
    {
        int transfers = 0;
        Assert.Equal(Most, Run(width => transfers++ < Transfers / 2 ? 20e6 : 5e6 * width).Width);
    }

    [Fact]
    public void Failing_transfers_do_not_increase_the_limit_except_for_an_occasional_try() =>
        Assert.Equal(DownloadGate.Least + 1, Run(width => 5e6 * width, transferBytes: 0).Widest);

    [Fact]
    public async Task With_places_free_the_rate_says_nothing_about_their_number()
    {
        var clock = new FakeClock();
        var gate = new DownloadGate(Most, clock);
        for (int transfer = 0; transfer < Transfers; transfer++)
        {
            await gate.EnterAsync(CancellationToken.None);
            clock.Advance(TimeSpan.FromSeconds(1.0 / (transfer + 1)));
            gate.Leave(TransferBytes);
        }

        Assert.Equal(DownloadGate.Least, gate.Widest);
    }

    [Fact]
    public async Task While_the_clock_stands_still_nothing_changes()
    {
        var gate = new DownloadGate(Most, new FakeClock());
        await Task.WhenAll(
            Enumerable
                .Range(0, Transfers)
                .Select(async _ =>
                {
                    await gate.EnterAsync(CancellationToken.None);
                    gate.Leave(TransferBytes);
                })
        );
        Assert.Equal(DownloadGate.Least, gate.Widest);
    }

    [Fact]
    public async Task A_cancelled_waiter_takes_no_place()
    {
        var gate = new DownloadGate(Most, new FakeClock());
        for (int place = 0; place < DownloadGate.Least; place++)
        {
            await gate.EnterAsync(CancellationToken.None);
        }

        using var cancellation = new CancellationTokenSource();
        Task gone = gate.EnterAsync(cancellation.Token).AsTask();
        Task next = gate.EnterAsync(CancellationToken.None).AsTask();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => gone);
        Assert.False(next.IsCompleted);
        gate.Leave(TransferBytes);
        await next.WaitAsync(TimeSpan.FromSeconds(10), TestContext.Current.CancellationToken);
    }

    /// <summary>
    /// Sixteen copies that transfer one after the other without a pause, over a link that brings so
    /// much with so many at once.
    /// </summary>
    private static DownloadGate Run(Func<int, double> bytesPerSecondOf, long transferBytes = TransferBytes)
    {
        var clock = new FakeClock();
        var gate = new DownloadGate(Most, clock);
        List<Task> entered = [];
        for (int copy = 0; copy < Most; copy++)
        {
            entered.Add(gate.EnterAsync(CancellationToken.None).AsTask());
        }

        for (int transfer = 0; transfer < Transfers; transfer++)
        {
            clock.Advance(TimeSpan.FromSeconds(TransferBytes / bytesPerSecondOf(gate.Width)));
            gate.Leave(transferBytes);
            entered.Add(gate.EnterAsync(CancellationToken.None).AsTask());
        }

        return gate;
    }
}
