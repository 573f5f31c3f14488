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

    public TransientStoreException Exceeded(
        string what,
        int bytesRead = 0,
        bool unreachable = false,
        string did = "sent"
    ) =>
        new(
            string.Create(
                CultureInfo.InvariantCulture,
                $"The store {did} nothing for {timeout.TotalSeconds:0.###} s ({what})"
            )
        )
        {
            BytesRead = bytesRead,
            StoreUnreachable = unreachable,
        };

    /// <summary>
    /// Whether a request ended because it took too long. The SDK of S3 throws the cause of a
    /// cancellation instead of the cancellation.
    /// </summary>
    public static bool IsTimeout(Exception failure, CancellationToken cancellationToken) =>
        failure is TimeoutException
        || (failure is OperationCanceledException && !cancellationToken.IsCancellationRequested);

    /// <summary>
    /// The failure for a request that was canceled: by this deadline, or by the client that could
    /// not connect.
    /// </summary>
    public TransientStoreException Exceeded(
        Exception failure,
        string what,
        bool unreachable = false,
        string did = "sent"
    ) =>
        expiry.IsCancellationRequested
            ? Exceeded(what, unreachable: unreachable, did: did)
            : new($"The store cannot be reached ({what}): Nothing answers at its address", failure)
            {
                StoreUnreachable = true,
                NothingListens = true,
            };

    public void Dispose()
    {
        linked.Dispose();
        expiry.Dispose();
    }
}
