using Polly;
using Polly.Retry;

namespace Restore.Storage;

/// <summary>How often and when a request to a store is repeated.</summary>
internal static class StoreRetries
{
    // The longest pause that a store can ask for: no server decides that a run takes days.
    private static readonly TimeSpan MaxPause = TimeSpan.FromMinutes(5);

    // The pause while nothing listens at an address that has not answered yet: five tries tell a wrong address from a server that is just starting.
    private static readonly TimeSpan FirstContactPause = TimeSpan.FromSeconds(1);

    /// <param name="settings">How often and when.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="logger">Receives each retry.</param>
    /// <param name="hasAnswered">Whether the store has answered a request already.</param>
    /// <param name="location">The store, without credentials.</param>
    /// <param name="onRetry">Is called before each retry; null for nobody.</param>
    public static ResiliencePipeline Pipeline(
        TransferSettings settings, TimeProvider timeProvider, ILogger logger, Func<bool> hasAnswered, string location, Action<StoreRetry>? onRetry = null)
    {
        var builder = new ResiliencePipelineBuilder { TimeProvider = timeProvider };
        if (settings.Retries > 0)
        {
            builder.AddRetry(new RetryStrategyOptions
            {
                ShouldHandle = new PredicateBuilder().Handle<TransientStoreException>(),
                MaxRetryAttempts = settings.Retries,
                Delay = settings.RetryDelay,
                MaxDelay = settings.RetryDelay > MaxPause ? settings.RetryDelay : MaxPause,
                BackoffType = settings.ExponentialBackoff ? DelayBackoffType.Exponential : DelayBackoffType.Constant,
                UseJitter = true,
                DelayGenerator = attempt => ValueTask.FromResult(
                    FirstPause(attempt.Outcome.Exception, settings.RetryDelay, hasAnswered()) ?? AskedPause(attempt.Outcome.Exception, settings.RetryDelay)),
                OnRetry = attempt =>
                {
                    RestoreTelemetry.Retries.Add(1);
                    StoreRetry next = new(
                        location, attempt.AttemptNumber + 2, settings.Retries + 1, attempt.RetryDelay, attempt.Outcome.Exception?.Reason() ?? "");
                    Log.Retrying(logger, location, next.Attempt, next.Attempts, next.Pause.TotalSeconds, next.Reason);
                    onRetry?.Invoke(next);
                    return ValueTask.CompletedTask;
                },
            });
        }

        return builder.Build();
    }

    private static TimeSpan? FirstPause(Exception? failure, TimeSpan retryDelay, bool hasAnswered) =>
        failure is TransientStoreException { NothingListens: true } && !hasAnswered && retryDelay > FirstContactPause ? FirstContactPause : null;

    private static TimeSpan? AskedPause(Exception? failure, TimeSpan retryDelay)
    {
        if (failure is not TransientStoreException { RetryAfter: { } asked } || asked <= retryDelay)
        {
            return null;
        }

        return asked < MaxPause ? asked : MaxPause;
    }
}

/// <summary>A listing that may be restarted.</summary>
internal sealed class RetriedListing(IVolumeStore store, CancellationToken cancellationToken) : IAsyncDisposable
{
    private readonly HashSet<string> seen = new(StringComparer.Ordinal);
    private IAsyncEnumerator<StoredFile>? entries;
    private long others;
    private long characters;

    /// <summary>The most names: more than any backup has (100 TB of default volumes), and less than a hostile server needs to fill the memory.</summary>
    public int MostFiles { get; init; } = 4_000_000;

    /// <summary>The most characters of all names: those of a backup have about 60 each.</summary>
    public long MostCharacters { get; init; } = 256_000_000;

    public StoredFile Current { get; private set; }

    public async ValueTask<bool> NextAsync()
    {
        entries ??= Start().GetAsyncEnumerator(cancellationToken);
        try
        {
            while (await entries.MoveNextAsync().ConfigureAwait(false))
            {
                string name = entries.Current.Name;
                bool isNew = RemoteNames.IsPlain(name) && seen.Add(name);
                others += isNew ? 0 : 1;
                characters += isNew ? name.Length : 0;
                if (seen.Count > MostFiles || others > MostFiles || characters > MostCharacters)
                {
                    throw new RestoreException(
                        RestoreErrorCode.ListingTooLong, $"The folder lists more names than a backup has (at most {MostFiles:N0})", store.DisplayName);
                }

                if (isNew)
                {
                    Current = entries.Current;
                    return true;
                }
            }

            return false;
        }
        catch (TransientStoreException)
        {
            others = 0;
            await DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (entries is { } running)
        {
            entries = null;
            await running.DisposeAsync().ConfigureAwait(false);
        }
    }

    private IAsyncEnumerable<StoredFile> Start() =>
        store is IResumableListing resumable ? resumable.ListAfterAsync(Current.Name, cancellationToken) : store.ListAsync(cancellationToken);
}

/// <summary>A read with retries; each continues where the last one stopped.</summary>
internal sealed class RetriedRead(IVolumeStore store, string name, long offset, Memory<byte> destination)
{
    public int DoneBytes { get; private set; }

    public async ValueTask ContinueAsync(CancellationToken cancellationToken)
    {
        try
        {
            DoneBytes += await store.ReadAsync(name, offset + DoneBytes, destination[DoneBytes..], cancellationToken).ConfigureAwait(false);
        }
        catch (TransientStoreException failure)
        {
            DoneBytes += failure.BytesRead;
            throw;
        }
    }
}
