namespace Restore.Shards;

/// <summary>The state of a shard.</summary>
public enum ShardState
{
    /// <summary>The shard is not restored; a machine may be working on it.</summary>
    Open,

    /// <summary>The shard failed, and can be restored again.</summary>
    Failed,

    /// <summary>The shard is restored, perhaps with losses.</summary>
    Done,
}
