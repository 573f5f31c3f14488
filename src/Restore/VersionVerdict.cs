namespace Restore;

/// <summary>What an assessment says about a version.</summary>
public enum VersionVerdict
{
    /// <summary>There is nothing to compare the version with.</summary>
    Unknown,

    /// <summary>
    /// Nothing in its file list is typical of an accident. Nothing says that its contents are
    /// sound.
    /// </summary>
    Good,

    /// <summary>
    /// It differs from the version before it as after an accident or an attack, or still has what
    /// such a version brought.
    /// </summary>
    Suspect,

    /// <summary>Its backup was stopped, or its file list is damaged.</summary>
    Incomplete,
}
