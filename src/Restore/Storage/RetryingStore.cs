using Microsoft.Extensions.Logging.Abstractions;
using Polly;

namespace Restore.Storage;

/// <summary>
/// Retries operations that failed for a transient reason, and continues a transfer where it broke.
/// After the last retry the file is lost (<see cref="IOException"/>). If the store no longer
/// answers, the store is lost (<see cref="RestoreException"/>).
/// </summary>
internal sealed class RetryingStore : ForwardingStore
{
    // One file that fails may be a problem of the file; three in a row, each with all its retries,
    // are a problem of the store.
    private const int UnreachableFilesMeanStoreGone = 3;

    private readonly int tries;
    private readonly ResiliencePipeline pipeline;

    // By name, since pieces of one file are read concurrently. Cleared by every success.
    private readonly HashSet<string> unreachableFiles = new(StringComparer.Ordinal);
    private readonly Lock gate = new();
    private volatile bool isGone;
    private volatile bool hasAnswered;

    public RetryingStore(
        IVolumeStore inner,
        TransferSettings settings,
        TimeProvider timeProvider,
        ILogger? logger = null,
        Action<StoreRetry>? onRetry = null
    )
        : base(inner)
    {
        tries = settings.Retries + 1;
        pipeline = StoreRetries.Pipeline(
            settings,
            timeProvider,
            logger ?? NullLogger.Instance,
            () => hasAnswered,
            inner.DisplayName,
            onRetry
        );
    }

    public override async ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    )
    {
        if (isGone)
        {
            throw Gone(null);
        }

        var transfer = new RetriedRead(Inner, name, offset, destination);
        try
        {
            await pipeline
                .ExecuteAsync(static (transfer, token) => transfer.ContinueAsync(token), transfer, cancellationToken)
                .ConfigureAwait(false);
            NoteAnswer();
            return transfer.DoneBytes;
        }
        catch (TransientStoreException failure)
        {
            throw failure.StoreUnreachable && IsTheLastStraw(name)
                ? Gone(failure)
                : new IOException(
                    $"{name} could not be read from {DisplayName} in {tries} tries: {failure.Reason()}",
                    failure
                );
        }
    }

    /// <summary>
    /// Lists with the full number of retries for each entry. Skips entries that a restarted listing
    /// repeats, and names that no file of a flat folder can have.
    /// </summary>
    public override async IAsyncEnumerable<StoredFile> ListAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        var listing = new RetriedListing(Inner, cancellationToken);
        await using (listing.ConfigureAwait(false))
        {
            while (await NextAsync(listing, cancellationToken).ConfigureAwait(false))
            {
                yield return listing.Current;
            }
        }
    }

    private async ValueTask<bool> NextAsync(RetriedListing listing, CancellationToken cancellationToken)
    {
        try
        {
            bool isMore = await pipeline
                .ExecuteAsync(static (listing, _) => listing.NextAsync(), listing, cancellationToken)
                .ConfigureAwait(false);
            hasAnswered = true;
            return isMore;
        }
        catch (TransientStoreException failure)
        {
            throw new RestoreException(
                RestoreErrorCode.StoreUnreachable,
                $"The store could not be listed in {tries} tries: {failure.Reason()}",
                DisplayName,
                failure
            );
        }
        catch (IOException failure)
        {
            string code =
                failure is AccessRefusedException ? RestoreErrorCode.AccessRefused : RestoreErrorCode.ListingFailed;
            throw new RestoreException(code, failure.Reason(), DisplayName, failure);
        }
    }

    private void NoteAnswer()
    {
        hasAnswered = true;
        lock (gate)
        {
            unreachableFiles.Clear();
        }
    }

    /// <summary>Returns true if the store counts as lost now.</summary>
    private bool IsTheLastStraw(string name)
    {
        lock (gate)
        {
            unreachableFiles.Add(name);
            isGone |= unreachableFiles.Count >= UnreachableFilesMeanStoreGone;
            return isGone;
        }
    }

    private RestoreException Gone(Exception? failure) =>
        new(RestoreErrorCode.StoreLost, "The store no longer answers", DisplayName, failure);
}
