using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Polly;
using Polly.Retry;

namespace Restore.Storage;

/// <summary>
/// Tries again what a store failed to do for a passing reason, and goes on where a transfer broke off.
/// After the last try a file is lost (<see cref="IOException"/>); when nothing answers any more, the store is (<see cref="RestoreException"/>).
/// </summary>
internal sealed class RetryingStore : IVolumeStore
{
    // One file that stays away may be the file; three in a row, each with all its tries, are the store.
    private const int UnreachableFilesMeanStoreGone = 3;

    // A store that asks for more is left alone this long and then tried again: no server decides that a restore takes days.
    private static readonly TimeSpan MaxPause = TimeSpan.FromMinutes(5);

    private readonly IVolumeStore inner;
    private readonly ILogger logger;
    private readonly int tries;
    private readonly ResiliencePipeline pipeline;

    // By name, since the pieces of one file are read side by side. Emptied whenever anything answers.
    private readonly HashSet<string> unreachableFiles = new(StringComparer.Ordinal);
    private readonly Lock gate = new();
    private volatile bool isGone;

    public RetryingStore(IVolumeStore inner, TransferSettings settings, TimeProvider timeProvider, ILogger? logger = null)
    {
        this.inner = inner;
        this.logger = logger ?? NullLogger.Instance;
        tries = settings.Retries + 1;
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
                OnRetry = NoteRetry,
            });
        }

        pipeline = builder.Build();
    }

    public string DisplayName => inner.DisplayName;

    public bool HasRanges => inner.HasRanges;

    public bool IsLocal => inner.IsLocal;

    public async ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default)
    {
        if (isGone)
        {
            throw Gone(null);
        }

        var transfer = new RetriedRead(inner, name, offset, destination);
        try
        {
            await pipeline.ExecuteAsync(static (transfer, token) => transfer.ContinueAsync(token), transfer, cancellationToken).ConfigureAwait(false);
            NoteAnswer();
            return transfer.DoneBytes;
        }
        catch (TransientStoreException failure)
        {
            throw failure.StoreUnreachable && IsTheLastStraw(name)
                ? Gone(failure)
                : new IOException($"{name} could not be read from {DisplayName} in {tries} tries: {failure.Reason()}", failure);
        }
    }

    /// <summary>
    /// Lists with as many tries for each entry. Entries that come again after a listing had to start over are left out, and names that no file of a flat
    /// folder can have.
    /// </summary>
    public async IAsyncEnumerable<StoredFile> ListAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        var listing = new RetriedListing(inner, cancellationToken);
        await using (listing.ConfigureAwait(false))
        {
            while (await NextAsync(listing, cancellationToken).ConfigureAwait(false))
            {
                yield return listing.Current;
            }
        }
    }

    public ValueTask DisposeAsync() => inner.DisposeAsync();

    private async ValueTask<bool> NextAsync(RetriedListing listing, CancellationToken cancellationToken)
    {
        try
        {
            return await pipeline.ExecuteAsync(static (listing, _) => listing.NextAsync(), listing, cancellationToken).ConfigureAwait(false);
        }
        catch (TransientStoreException failure)
        {
            throw new RestoreException(
                RestoreErrorCode.StoreUnreachable, $"The store could not be listed in {tries} tries: {failure.Reason()}", DisplayName, failure);
        }
        catch (IOException failure)
        {
            RestoreErrorCode code = failure is AccessRefusedException ? RestoreErrorCode.AccessRefused : RestoreErrorCode.ListingFailed;
            throw new RestoreException(code, failure.Reason(), DisplayName, failure);
        }
    }

    private ValueTask NoteRetry(OnRetryArguments<object> attempt)
    {
        RestoreTelemetry.Retries.Add(1);
        Log.Retrying(logger, attempt.AttemptNumber + 1, tries, attempt.RetryDelay, attempt.Outcome.Exception?.Reason() ?? "");
        return ValueTask.CompletedTask;
    }

    private static TimeSpan? AskedPause(Exception? failure, TimeSpan retryDelay)
    {
        if (failure is not TransientStoreException { RetryAfter: { } asked } || asked <= retryDelay)
        {
            return null;
        }

        return asked < MaxPause ? asked : MaxPause;
    }

    private void NoteAnswer()
    {
        lock (gate)
        {
            unreachableFiles.Clear();
        }
    }

    /// <summary>Takes note that nothing answered for a file.</summary>
    /// <returns>Whether that means that the store is gone.</returns>
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
