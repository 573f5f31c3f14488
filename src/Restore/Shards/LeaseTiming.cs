namespace Restore.Shards;

/// <param name="Quiet">How long an owner may have no heartbeat before it counts as dead.</param>
internal sealed record LeaseTiming(TimeSpan Beat, TimeSpan Quiet)
{
    // A network file system shows changes of other machines after a minute at most.
    public static LeaseTiming Default { get; } = new(TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(90));

    /// <summary>How long a look of the owner at its lease stays valid.</summary>
    public TimeSpan Fresh => 2 * Beat;
}
