namespace Restore.Trees;

/// <summary>How an entry differs between two sides.</summary>
public enum EntryChange
{
    /// <summary>Only the newer side has it.</summary>
    Added,

    /// <summary>Only the older side has it.</summary>
    Removed,

    /// <summary>
    /// Its content, its kind, or the target of a link differs. A list has one hash for a link's
    /// target and its other metadata together.
    /// </summary>
    Changed,

    /// <summary>
    /// The content is the same; times, mode, owner or attributes differ. On a disk, times alone are
    /// compared.
    /// </summary>
    Metadata,

    /// <summary>
    /// Unknown, because the file cannot be read, or because the folder cannot be listed and may
    /// have further entries. A folder below it has its own entry.
    /// </summary>
    Unknown,
}
