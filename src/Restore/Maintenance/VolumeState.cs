namespace Restore.Maintenance;

/// <summary>What a check finds out about a block volume without reading it.</summary>
public enum VolumeState
{
    /// <summary>
    /// It is in the store, and has the size that an index volume gives if one gives it.
    /// </summary>
    Present,

    /// <summary>It is in the store, and no index volume describes it.</summary>
    WithoutIndex,

    /// <summary>
    /// It is in the store, and does not have the size that its index volume gives.
    /// </summary>
    WrongSize,

    /// <summary>It is not in the store.</summary>
    Missing,
}
