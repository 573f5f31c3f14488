namespace Restore;

/// <summary>What an assessment says about a version.</summary>
public enum VersionVerdict
{
    /// <summary>There is nothing to compare the version with.</summary>
    Unknown,

    /// <summary>
    /// Nothing in its file list is typical of an accident. The contents may still be damaged.
    /// </summary>
    Good,

    /// <summary>
    /// It differs from the version before it as after an accident or an attack, or still has the
    /// changes of such a version.
    /// </summary>
    Suspect,

    /// <summary>Its backup was stopped, or its file list is damaged.</summary>
    Incomplete,
}
