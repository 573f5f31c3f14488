namespace Restore.Writing;

/// <summary>
/// What a backup does with files that have several names. The format knows no hard links: each name
/// is restored as a file.
/// </summary>
public enum HardlinkPolicy
{
    /// <summary>Stores every name. The content is stored once.</summary>
    All,

    /// <summary>Stores the first name.</summary>
    First,

    /// <summary>Leaves out files that have several names.</summary>
    None,
}
