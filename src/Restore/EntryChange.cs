namespace Restore;

/// <summary>How an entry differs between two sides.</summary>
public enum EntryChange
{
    /// <summary>Only the newer side has it.</summary>
    Added,

    /// <summary>Only the older side has it.</summary>
    Removed,

    /// <summary>
    /// Its content, its kind, or the target of a link differs. Lists tell a link's target and its
    /// other metadata apart by one hash only.
    /// </summary>
    Changed,

    /// <summary>
    /// The content is the same; times, mode, owner or attributes differ. On a disk, times alone are
    /// compared.
    /// </summary>
    Metadata,

    /// <summary>
    /// It is not known: the file cannot be read, or the folder cannot be listed, so that what else
    /// is in it is not known; a folder below has its own entry.
    /// </summary>
    Unknown,
}
