namespace Restore.Restoring;

internal enum BlockState : byte
{
    /// <summary>The pass does not fetch it.</summary>
    NotWanted,

    /// <summary>Its volume is not finished yet.</summary>
    Pending,

    /// <summary>In the block store, or the one that just arrived.</summary>
    Here,

    /// <summary>Every entry that needs it has it.</summary>
    Done,

    /// <summary>Its volume did not have it.</summary>
    Missing,
}
