namespace Restore;

/// <summary>The state of a shard.</summary>
public enum ShardState
{
    /// <summary>It is not restored; perhaps a machine is at it.</summary>
    Open,

    /// <summary>It failed, and can be restored again.</summary>
    Failed,

    /// <summary>It is restored, perhaps with losses.</summary>
    Done,
}
