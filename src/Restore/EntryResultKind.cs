namespace Restore;

/// <summary>The result of an entry.</summary>
public enum EntryResultKind
{
    /// <summary>The content is in place and verified.</summary>
    Restored,

    /// <summary>
    /// Blocks are missing or damaged; they are searched elsewhere, if they may have another copy.
    /// </summary>
    Incomplete,

    /// <summary>All blocks are in place, but the file does not have the recorded hash.</summary>
    Unverified,

    /// <summary>It could not be written.</summary>
    Failed,
}
