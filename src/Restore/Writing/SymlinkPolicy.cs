namespace Restore.Writing;

/// <summary>What a backup does with symbolic links.</summary>
public enum SymlinkPolicy
{
    /// <summary>Stores them as links.</summary>
    Store,

    /// <summary>
    /// Stores the target in place of the link. A folder is followed once, and never into a folder
    /// that contains it.
    /// </summary>
    Follow,

    /// <summary>Leaves them out.</summary>
    Ignore,
}
