namespace Restore.Format;

/// <summary>What a file in the folder of a backup is by its name.</summary>
internal enum StoredNameKind : byte
{
    /// <summary>A file that has nothing to do with a volume.</summary>
    Other,

    /// <summary>A volume; the case of its letters may have changed.</summary>
    Volume,

    /// <summary>A copy of a volume that a sync program or a file manager made.</summary>
    Copy,

    /// <summary>A volume that was renamed.</summary>
    Renamed,

    /// <summary>The placeholder of a cloud client for a volume that is not on this disk.</summary>
    Placeholder,

    /// <summary>A volume that is still being transferred, or a temporary file beside it.</summary>
    Unfinished,

    /// <summary>
    /// The file in which macOS keeps attributes of a volume on foreign file systems.
    /// </summary>
    ResourceFork,
}
