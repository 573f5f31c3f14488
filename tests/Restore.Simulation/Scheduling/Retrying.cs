namespace Restore.Simulation.Scheduling.Retrying;

// The calls of Polly that the engine makes, without the thread pool.

internal enum DelayBackoffType
{
    Constant,
    Exponential,
}

internal sealed class PredicateBuilder
{
    public Func<Exception, bool> Matches { get; private set; } = _ => false;

    public PredicateBuilder Handle<TException>()
        where TException : Exception
    {
        Matches = failure => failure is TException;
        return this;
    }
}

internal readonly record struct Outcome(Exception? Exception);

internal readonly record struct OnRetryArguments<T>(int AttemptNumber, TimeSpan RetryDelay, Outcome Outcome);

internal sealed class RetryStrategyOptions
{
    public required PredicateBuilder ShouldHandle { get; init; }

    public int MaxRetryAttempts { get; init; }

    public TimeSpan Delay { get; init; }

    public TimeSpan MaxDelay { get; init; }

    public DelayBackoffType BackoffType { get; init; }

    public bool UseJitter { get; init; }

    public required Func<OnRetryArguments<object>, ValueTask<TimeSpan?>> DelayGenerator { get; init; }

    public required Func<OnRetryArguments<object>, ValueTask> OnRetry { get; init; }
}

internal sealed class ResiliencePipelineBuilder
{
    private RetryStrategyOptions? retry;

    public required TimeProvider TimeProvider { get; init; }

    public void AddRetry(RetryStrategyOptions options) => retry = options;

    public ResiliencePipeline Build() => new(retry, TimeProvider);
}

internal sealed class ResiliencePipeline(RetryStrategyOptions? retry, TimeProvider time)
{
    public async ValueTask ExecuteAsync<TState>(
        Func<TState, CancellationToken, ValueTask> work,
        TState state,
        CancellationToken cancellationToken
    ) =>
        await ExecuteAsync(
            async (state, token) =>
            {
                await work(state, token);
                return true;
            },
            state,
            cancellationToken
        );

    public async ValueTask<T> ExecuteAsync<TState, T>(
        Func<TState, CancellationToken, ValueTask<T>> work,
        TState state,
        CancellationToken cancellationToken
    )
    {
        for (int attempt = 0; ; attempt++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            try
            {
                return await work(state, cancellationToken);
            }
            catch (Exception failure)
                when (retry is not null && attempt < retry.MaxRetryAttempts && retry.ShouldHandle.Matches(failure))
            {
                OnRetryArguments<object> tried = new(attempt, retry.Delay, new Outcome(failure));
                TimeSpan pause =
                    await retry.DelayGenerator(tried)
                    ?? retry.Delay * (retry.BackoffType == DelayBackoffType.Exponential ? 1 << attempt : 1);
                await retry.OnRetry(tried);
                await Task.Delay(pause < retry.MaxDelay ? pause : retry.MaxDelay, time, cancellationToken);
            }
        }
    }
}
