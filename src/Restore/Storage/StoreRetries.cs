using Microsoft.Extensions.Logging;
using Polly;
using Polly.Retry;

namespace Restore.Storage;

/// <summary>How often and when a request to a store is repeated.</summary>
internal static class StoreRetries
{
    // The longest pause that a store can ask for: no server decides that a run takes days.
    private static readonly TimeSpan MaxPause = TimeSpan.FromMinutes(5);

    /// <summary>Repeats what fails with a <see cref="TransientStoreException"/>.</summary>
    public static ResiliencePipeline Pipeline(TransferSettings settings, TimeProvider timeProvider, ILogger logger)
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
                DelayGenerator = attempt => ValueTask.FromResult(AskedPause(attempt.Outcome.Exception, settings.RetryDelay)),
                OnRetry = attempt =>
                {
                    RestoreTelemetry.Retries.Add(1);
                    Log.Retrying(logger, attempt.AttemptNumber + 1, settings.Retries + 1, attempt.RetryDelay, attempt.Outcome.Exception?.Reason() ?? "");
                    return ValueTask.CompletedTask;
                },
            });
        }

        return builder.Build();
    }

    private static TimeSpan? AskedPause(Exception? failure, TimeSpan retryDelay)
    {
        if (failure is not TransientStoreException { RetryAfter: { } asked } || asked <= retryDelay)
        {
            return null;
        }

        return asked < MaxPause ? asked : MaxPause;
    }
}
