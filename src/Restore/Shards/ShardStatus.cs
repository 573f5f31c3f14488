namespace Restore.Shards;

/// <summary>What is known of a shard.</summary>
/// <param name="Number">Its number, from 1 on.</param>
/// <param name="State">Its state.</param>
/// <param name="Failure">Why it failed; null if it did not.</param>
public sealed record ShardStatus(int Number, ShardState State, string? Failure)
{
    /// <summary>
    /// Whether something of a restored shard is lost or failed:
    /// <see cref="ShardedRestore.RunAsync"/> tries it again.
    /// </summary>
    public bool IsIncomplete { get; init; }
}
