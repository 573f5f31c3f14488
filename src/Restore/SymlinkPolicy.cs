namespace Restore;

/// <summary>What a backup does with symbolic links.</summary>
public enum SymlinkPolicy
{
    /// <summary>Stores them as links.</summary>
    Store,

    /// <summary>
    /// Stores what they lead to, in their place. A folder is followed once, and never into one that
    /// it lies in.
    /// </summary>
    Follow,

    /// <summary>Leaves them out.</summary>
    Ignore,
}
