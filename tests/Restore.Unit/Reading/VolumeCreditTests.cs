using Restore.Reading;

namespace Restore.Tests.Reading;

/// <summary>Credit that nobody uses is free again.</summary>
public sealed class VolumeCreditTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly VolumeCredit credit = new(100);

    [Fact]
    public async Task A_wait_that_was_cancelled_takes_nothing()
    {
        using CancellationTokenSource cancel = new();
        VolumeCredit.Share first = await credit.TakeAsync(80, CancellationToken.None);
        Task<VolumeCredit.Share> waiting = credit.TakeAsync(80, cancel.Token).AsTask();
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.WaitAsync(Patience));
        first.Dispose();
        using VolumeCredit.Share whole = await credit
            .TakeAsync(100, CancellationToken.None)
            .AsTask()
            .WaitAsync(Patience);
    }

    [Fact]
    public async Task A_wait_ends_when_enough_is_given_back()
    {
        VolumeCredit.Share first = await credit.TakeAsync(80, CancellationToken.None);
        Task<VolumeCredit.Share> waiting = credit.TakeAsync(80, CancellationToken.None).AsTask();
        Assert.False(waiting.IsCompleted);
        first.Shrink(20);
        using VolumeCredit.Share second = await waiting.WaitAsync(Patience);
        first.Dispose();
    }
}
