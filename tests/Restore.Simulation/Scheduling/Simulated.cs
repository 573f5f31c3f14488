using System.Diagnostics.CodeAnalysis;
using Restore.Simulation.Scheduling;

namespace Restore;

/// <summary>What the replaced text of the engine calls.</summary>
internal static class Simulated
{
    public const long MemoryBytes = 8L << 30;

    public static int Cores => Scheduler.Running?.Cores ?? Scheduler.UsualCores;

    /// <summary>Between two statements of the engine.</summary>
    public static void Cut() => Scheduler.Running?.Cut();

    public static Guid NewGuid() => new(Bytes(16));

    public static byte[] Bytes(int count)
    {
        byte[] bytes = new byte[count];
        Scheduler.Current.Random.NextBytes(bytes);
        return bytes;
    }

    public static void AtEnd(string what, Func<long> left) => Scheduler.Current.AtEnd.Add((what, left));

    public static IRestoreTarget OpenTarget(string rootPath, bool flushesFiles = false, bool opensFolders = true) =>
        Scheduler.Current.OpenTarget!(rootPath, flushesFiles);

    public static Task RunAsync(Func<Task> work, CancellationToken cancellationToken = default) =>
        RunAsync(async () =>
        {
            await work();
            return true;
        });

    public static Task<T> RunAsync<T>(Func<Task<T>> work)
    {
        TaskCompletionSource<T> result = new();
        ExecutionContext context = ExecutionContext.Capture()!;
        Scheduler.Current.Post(() => ExecutionContext.Run(context, _ => Start(), null));
        return result.Task;

        async void Start()
        {
            try
            {
                result.SetResult(await work());
            }
            catch (OperationCanceledException cancelled)
            {
                result.SetCanceled(cancelled.CancellationToken);
            }
            catch (Exception failure)
            {
                result.SetException(failure);
            }
        }
    }

    /// <summary>
    /// As the framework does it: so many at once, no new ones after a failure, and the end when all
    /// have ended.
    /// </summary>
    public static async Task ForEachAsync<T>(
        IEnumerable<T> items,
        ParallelOptions options,
        Func<T, CancellationToken, ValueTask> work
    )
    {
        using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(options.CancellationToken);
        using IEnumerator<T> next = items.GetEnumerator();
        List<Exception> failures = [];
        Lock gate = new();
        await Task.WhenAll(
            Enumerable.Range(0, Math.Max(1, options.MaxDegreeOfParallelism)).Select(_ => RunAsync(WorkAsync))
        );
        if (failures.Find(failure => failure is not OperationCanceledException) is { } first)
        {
            throw failures.Count == 1 ? first
            : failures[0] is OperationCanceledException ? first
            : failures[0];
        }

        options.CancellationToken.ThrowIfCancellationRequested();

        async Task WorkAsync()
        {
            try
            {
                while (!stop.IsCancellationRequested && TryTake(out T? item))
                {
                    await work(item, stop.Token);
                }
            }
            catch (Exception failure)
            {
                failures.Add(failure);
                stop.CancelAtOnce();
            }
        }

        bool TryTake([MaybeNullWhen(false)] out T item)
        {
            using (gate.Take())
            {
                bool isThere = next.MoveNext();
                item = isThere ? next.Current : default;
                return isThere;
            }
        }
    }

    public static Task CancelLaterAsync(this CancellationTokenSource source) =>
        RunAsync(() =>
        {
            source.CancelAtOnce();
            return Task.CompletedTask;
        });

    /// <summary>
    /// Who disposes of a registration waits for its callback, so nobody may go first in the middle
    /// of one.
    /// </summary>
    public static void CancelAtOnce(this CancellationTokenSource source)
    {
        if (Scheduler.Running is { } scheduler)
        {
            scheduler.Uncut(source.Cancel);
        }
        else
        {
            source.Cancel();
        }
    }

    /// <summary>
    /// Waits for a task whose continuations the framework would send to the thread pool.
    /// </summary>
    public static async Task WaitLaterAsync(this Task task, CancellationToken cancellationToken)
    {
        TaskCompletionSource cancelled = new();
        using CancellationTokenRegistration registration = cancellationToken.UnsafeRegister(
            _ => cancelled.TrySetResult(),
            null
        );
        TaskCompletionSource ended = new();
        _ = EndAsync();
        await await Task.WhenAny(ended.Task, cancelled.Task);
        if (!task.IsCompleted)
        {
            cancellationToken.ThrowIfCancellationRequested();
        }

        await task;

        async Task EndAsync()
        {
            await task.ConfigureAwait(
                ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ContinueOnCapturedContext
            );
            ended.TrySetResult();
        }
    }
}
