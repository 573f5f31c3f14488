using System.Globalization;

namespace Restore.Storage;

/// <summary>Cancels a transfer that makes no progress for too long.</summary>
internal sealed class TransferDeadline : IDisposable
{
    private readonly TimeSpan timeout;
    private readonly CancellationTokenSource expiry;
    private readonly CancellationTokenSource linked;

    public TransferDeadline(TimeSpan timeout, TimeProvider timeProvider, CancellationToken cancellationToken)
    {
        this.timeout = timeout;
        expiry = new CancellationTokenSource(timeout, timeProvider);
        linked = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, expiry.Token);
    }

    public CancellationToken Token => linked.Token;

    public void Restart() => expiry.CancelAfter(timeout);

    public void Pause() => expiry.CancelAfter(Timeout.InfiniteTimeSpan);

    public TransientStoreException Exceeded(string what, int bytesRead = 0, bool unreachable = false, string did = "sent") =>
        new(string.Create(CultureInfo.InvariantCulture, $"The store {did} nothing for {timeout.TotalSeconds:0.###} s ({what})"))
        {
            BytesRead = bytesRead,
            StoreUnreachable = unreachable,
        };

    public void Dispose()
    {
        linked.Dispose();
        expiry.Dispose();
    }
}
