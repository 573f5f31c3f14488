namespace Restore.Storage.Local;

/// <summary>
/// Runs calls of a file system on threads of their own. No system lets a program cancel such a
/// call, so one that makes no progress for too long is left behind: its thread ends with the call,
/// or with the process.
/// </summary>
internal sealed class LocalCalls(TimeSpan patience, TimeProvider time)
{
    private readonly OwnThreads threads = new();

    public async Task<T> RunAsync<T>(Func<LocalCall, T> work)
    {
        using LocalCall call = new(patience, time);
        Task<T> running = threads.RunAsync(() => work(call));
        await Task.WhenAny(running, call.IsLeft).ConfigureAwait(false);

        // The order matters: work that ends at the same moment as the limit counts as late, because
        // its last delivery may have been refused.
        return !call.IsLeft.IsCompleted
            ? await running.ConfigureAwait(false)
            : throw new TimeoutException(
                string.Create(CultureInfo.InvariantCulture, $"There was no answer for {patience.TotalSeconds:0.###} s")
            );
    }

    /// <summary>Closes what calls have opened.</summary>
    public Task CloseAsync(IDisposable opened) => threads.RunAsync(opened.Dispose);
}
