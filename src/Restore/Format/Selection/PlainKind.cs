namespace Restore.Format.Selection;

/// <summary>What a plain path or name matches, in which no character is a wildcard.</summary>
internal enum PlainKind
{
    /// <summary>The path itself.</summary>
    Path,

    /// <summary>A folder, with a separator at its end: itself and all that is below.</summary>
    Folder,

    /// <summary>A name without a separator: what has it, in any folder.</summary>
    Name,

    /// <summary>A name with a separator at its end: folders of that name, in any folder.</summary>
    FolderName,

    /// <summary>The same: such folders and all that is below.</summary>
    BelowFolderName,
}
