namespace Restore;

/// <summary>What was done to put a <see cref="CompanionFile"/> beside a backup.</summary>
public enum CompanionFileState
{
    /// <summary>There was none, and there is one now.</summary>
    Written,

    /// <summary>There was another one, which is gone.</summary>
    Replaced,

    /// <summary>It was there already.</summary>
    Unchanged,
}
