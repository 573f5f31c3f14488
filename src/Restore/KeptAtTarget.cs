namespace Restore;

/// <summary>Which differing files and links at the target stay.</summary>
public enum KeptAtTarget
{
    /// <summary>None of them.</summary>
    None,

    /// <summary>
    /// Files and links that are not older than in the backup, by their times, or that have no known
    /// time in the backup.
    /// </summary>
    NotOlder,

    /// <summary>All of them.</summary>
    All,
}
