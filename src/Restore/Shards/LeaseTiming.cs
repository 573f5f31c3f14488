namespace Restore.Shards;

/// <param name="Quiet">How long an owner that may live has no heartbeat before it counts as
/// dead.</param>
internal sealed record LeaseTiming(TimeSpan Beat, TimeSpan Quiet)
{
    // A network file system shows changes of others after a minute at most.
    public static LeaseTiming Default { get; } = new(TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(90));

    /// <summary>How long what the owner saw of its lease counts.</summary>
    public TimeSpan Fresh => 2 * Beat;
}
