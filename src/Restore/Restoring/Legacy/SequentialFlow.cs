using Restore.Threads;
using Restore.Volumes;

namespace Restore.Restoring.Legacy;

/// <summary>The legacy flow, for comparison: sequential, through temporary files. The same plans, the same results.</summary>
internal sealed class SequentialFlow(VolumeLoader loader) : IFlow
{
    public IReadOnlyList<string> Choices => [];

    public Task<PassResult> RunAsync(FileContext context, ProgressMeter progress, CancellationToken stopToken, CancellationToken cancellationToken)
    {
        OwnThreads threads = new();
        return threads.RunAsync(() => new SequentialPass(context, loader, threads, progress).RunAsync(stopToken, cancellationToken));
    }
}
