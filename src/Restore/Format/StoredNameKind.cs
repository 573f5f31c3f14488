namespace Restore.Format;

/// <summary>What a file in the folder of a backup is by its name.</summary>
internal enum StoredNameKind : byte
{
    /// <summary>Nothing that has to do with a volume.</summary>
    Other,

    /// <summary>A volume, perhaps in other letters.</summary>
    Volume,

    /// <summary>A copy of a volume that a sync program or a file manager made.</summary>
    Copy,

    /// <summary>A volume under another name, which somebody gave it.</summary>
    Renamed,

    /// <summary>What a cloud's client puts in place of a volume that is not on this disk.</summary>
    Placeholder,

    /// <summary>A part of a volume that is on its way, or a temporary file beside it.</summary>
    Unfinished,

    /// <summary>What macOS keeps about a volume on foreign file systems.</summary>
    ResourceFork,
}
