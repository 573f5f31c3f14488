using Polly;
using Polly.Retry;

namespace Restore.Storage;

/// <summary>How often and when a request to a store is repeated.</summary>
internal static class StoreRetries
{
    // The longest pause that a store can ask for: no server decides that a run takes days.
    private static readonly TimeSpan MaxPause = TimeSpan.FromMinutes(5);

    // The pause while nothing listens at an address that has not answered yet: five tries tell a
    // wrong address from a server that is just starting.
    private static readonly TimeSpan FirstContactPause = TimeSpan.FromSeconds(1);

    /// <param name="settings">How often and when.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <param name="logger">Receives each retry.</param>
    /// <param name="hasAnswered">Whether the store has answered a request already.</param>
    /// <param name="location">The store, without credentials.</param>
    /// <param name="onRetry">Called before each retry; null if no call is needed.</param>
    public static ResiliencePipeline Pipeline(
        TransferSettings settings,
        TimeProvider timeProvider,
        ILogger logger,
        Func<bool> hasAnswered,
        string location,
        Action<StoreRetry>? onRetry = null
    )
    {
        var builder = new ResiliencePipelineBuilder { TimeProvider = timeProvider };
        if (settings.Retries > 0)
        {
            builder.AddRetry(
                new RetryStrategyOptions
                {
                    ShouldHandle = new PredicateBuilder().Handle<TransientStoreException>(),
                    MaxRetryAttempts = settings.Retries,
                    Delay = settings.RetryDelay,
                    MaxDelay = settings.RetryDelay > MaxPause ? settings.RetryDelay : MaxPause,
                    BackoffType = settings.ExponentialBackoff
                        ? DelayBackoffType.Exponential
                        : DelayBackoffType.Constant,
                    UseJitter = true,
                    DelayGenerator = attempt =>
                        ValueTask.FromResult(
                            FirstPause(attempt.Outcome.Exception, settings.RetryDelay, hasAnswered())
                                ?? AskedPause(attempt.Outcome.Exception, settings.RetryDelay)
                        ),
                    OnRetry = attempt =>
                    {
                        RestoreTelemetry.Retries.Add(1);
                        StoreRetry next = new(
                            location,
                            attempt.AttemptNumber + 2,
                            settings.Retries + 1,
                            attempt.RetryDelay,
                            attempt.Outcome.Exception?.Reason() ?? ""
                        );
                        Log.Retrying(
                            logger,
                            location,
                            next.Attempt,
                            next.Attempts,
                            next.Pause.TotalSeconds,
                            next.Reason
                        );
                        onRetry?.Invoke(next);
                        return ValueTask.CompletedTask;
                    },
                }
            );
        }

        return builder.Build();
    }

    private static TimeSpan? FirstPause(Exception? failure, TimeSpan retryDelay, bool hasAnswered) =>
        failure is TransientStoreException { NothingListens: true } && !hasAnswered && retryDelay > FirstContactPause
            ? FirstContactPause
            : null;

    private static TimeSpan? AskedPause(Exception? failure, TimeSpan retryDelay)
    {
        if (failure is not TransientStoreException { RetryAfter: { } asked } || asked <= retryDelay)
        {
            return null;
        }

        return asked < MaxPause ? asked : MaxPause;
    }
}
