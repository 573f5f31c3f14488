using System.Runtime.CompilerServices;
using Restore.Simulation.Scheduling;

namespace Restore.Threads;

/// <summary>Takes the place of the library's threads: work is a step of the scheduler.</summary>
internal sealed class OwnThreads
{
    public bool IsCurrent => true;

    public Task RunAsync(Action work) =>
        RunAsync(() =>
        {
            work();
            return true;
        });

    public Task<T> RunAsync<T>(Func<T> work) => RunAsync(() => Task.FromResult(work()));

    public Task RunAsync(Func<Task> work) => Simulated.RunAsync(work);

    public Task<T> RunAsync<T>(Func<Task<T>> work) => Simulated.RunAsync(work);

    public Hop ReturnAsync() => new(this);

    public Choice ReturnAfter(ValueTask awaited) => awaited.AtChoice();

    public Choice<T> ReturnAfter<T>(ValueTask<T> awaited) => awaited.AtChoice();

    internal readonly record struct Hop(OwnThreads? Threads) : ICriticalNotifyCompletion
    {
        public bool IsCompleted => Threads is null || !Scheduler.Current.Pauses();

        public Hop GetAwaiter() => this;

        public void GetResult() { }

        public void OnCompleted(Action continuation) => Scheduler.Current.Continue(continuation);

        public void UnsafeOnCompleted(Action continuation) => Scheduler.Current.Continue(continuation);
    }
}
