namespace Restore;

/// <summary>Which differing files and links at the target stay.</summary>
public enum KeptAtTarget
{
    /// <summary>None of them.</summary>
    None,

    /// <summary>
    /// Those that are not older than the ones in the backup, by their times, or whose time in the
    /// backup is not known.
    /// </summary>
    NotOlder,

    /// <summary>All of them.</summary>
    All,
}
