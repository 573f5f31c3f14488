using System.Runtime.CompilerServices;
using Restore.Simulation.Scheduling;

namespace Restore;

/// <summary>
/// Awaits that continue on the scheduler, and may let others go first although there is nothing to
/// wait for.
/// </summary>
internal static class Choices
{
    public static Choice AtChoice(this Task task) => new(new ValueTask(task));

    public static Choice<T> AtChoice<T>(this Task<T> task) => new(new ValueTask<T>(task));

    public static Choice AtChoice(this ValueTask task) => new(task);

    public static Choice<T> AtChoice<T>(this ValueTask<T> task) => new(task);

    public static ConfiguredAsyncDisposable AtChoice(this IAsyncDisposable disposable) =>
        disposable.ConfigureAwait(true);

    public static ConfiguredCancelableAsyncEnumerable<T> AtChoice<T>(this IAsyncEnumerable<T> items) =>
        items.ConfigureAwait(true);

    public static ConfiguredCancelableAsyncEnumerable<T> AtChoice<T>(
        this ConfiguredCancelableAsyncEnumerable<T> items
    ) => items.ConfigureAwait(true);

    internal static void Continue(Action continuation) => Scheduler.Current.Continue(continuation);
}

/// <summary>An await of a task.</summary>
internal readonly struct Choice(ValueTask task) : ICriticalNotifyCompletion
{
    public bool IsCompleted => task.IsCompleted && !Scheduler.Current.Pauses();

    public Choice GetAwaiter() => this;

    public void GetResult() => task.GetAwaiter().GetResult();

    public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

    public void UnsafeOnCompleted(Action continuation)
    {
        if (task.IsCompleted)
        {
            Choices.Continue(continuation);
            return;
        }

        task.GetAwaiter().UnsafeOnCompleted(continuation);
    }
}

/// <summary>An await of a task with a result.</summary>
internal readonly struct Choice<T>(ValueTask<T> task) : ICriticalNotifyCompletion
{
    public bool IsCompleted => task.IsCompleted && !Scheduler.Current.Pauses();

    public Choice<T> GetAwaiter() => this;

    public T GetResult() => task.GetAwaiter().GetResult();

    public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

    public void UnsafeOnCompleted(Action continuation)
    {
        if (task.IsCompleted)
        {
            Choices.Continue(continuation);
            return;
        }

        task.GetAwaiter().UnsafeOnCompleted(continuation);
    }
}
