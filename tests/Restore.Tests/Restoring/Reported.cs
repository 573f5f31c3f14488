using System.Collections.Concurrent;

namespace Restore.Tests.Restoring;

/// <summary>All progress that was reported, in order.</summary>
internal sealed class Reported : ConcurrentQueue<RestoreProgress>, IProgress<RestoreProgress>
{
    public void Report(RestoreProgress value) => Enqueue(value);
}
