namespace Restore.Restoring;

/// <summary>What has become of a block.</summary>
internal enum BlockState : byte
{
    /// <summary>The pass does not fetch it.</summary>
    NotWanted,

    /// <summary>Its volume has not been through yet.</summary>
    Pending,

    /// <summary>In the block store, or the one that just arrived.</summary>
    Here,

    /// <summary>Every entry that wants it has it.</summary>
    Done,

    /// <summary>Its volume did not have it.</summary>
    Missing,
}
