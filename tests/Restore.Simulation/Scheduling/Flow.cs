namespace Restore.Simulation.Scheduling;

/// <summary>
/// Steps that follow each other: with virtual processors none of them begins before the one in front
/// has ended.
/// </summary>
internal sealed class Flow
{
    /// <summary>The end of the last step, in ticks.</summary>
    public long Free { get; set; }
}
