namespace Restore.Restoring;

/// <summary>The kind of work that a FileProcessor does for an entry.</summary>
internal enum WorkKind : byte
{
    /// <summary>
    /// Take a block: write a block of content, or keep a block of metadata until the entry is
    /// finished.
    /// </summary>
    Block,

    /// <summary>Write a full block of zeros; needs no bytes.</summary>
    Zeros,

    /// <summary>Copy a block from the local file that the plan names.</summary>
    LocalCopy,

    /// <summary>Finish the entry: nothing is missing.</summary>
    Finish,

    /// <summary>
    /// Finish the entry in this pass: its content is complete, its metadata is not.
    /// </summary>
    FinishWithoutMetadata,

    /// <summary>Finish the entry in this pass: blocks of its content are missing.</summary>
    FinishIncomplete,
}
