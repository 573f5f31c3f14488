using Restore.Ends;
using Restore.Simulation.Scheduling;
using Restore.Tests.Restoring;

namespace Restore.Simulation.Ports;

/// <summary>
/// The real end over a folder in memory: each call can fail, and the target can become full.
/// </summary>
internal sealed class SimulatedTarget(Scheduler scheduler, Faults faults)
{
    private int writes;

    public IRestoreTarget Open(string rootPath, bool flushesFiles) =>
        new WatchedTarget(FileSystemTarget.Open(rootPath, flushesFiles), Before);

    private void Before(string operation)
    {
        scheduler.Note(operation);
        if (operation is "Write" or "CreateFolder" or "OpenFile" && ++writes > faults.FullAfter)
        {
            faults.Harm("the target is full", atTarget: true);
            throw new RestoreException(RestoreErrorCode.TargetFull, "The target is full", "simulated");
        }

        if (operation is not ("IsEmpty" or "FileSystemOf" or "RoomAt" or "NamesIn") && faults.Comes(faults.Target))
        {
            faults.Harm($"{operation} of the target failed", atTarget: true);
            throw operation is "OpenFile" or "Inspect" && faults.Random.Next(2) == 0
                ? new UnauthorizedAccessException($"{operation} is not allowed")
                : new IOException($"{operation} failed");
        }
    }
}
