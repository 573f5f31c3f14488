namespace Restore.Maintenance;

/// <summary>What was done to put a <see cref="CompanionFile"/> beside a backup.</summary>
public enum CompanionFileState
{
    /// <summary>The file did not exist, and was written.</summary>
    Written,

    /// <summary>The file had other content, and was replaced.</summary>
    Replaced,

    /// <summary>The file already existed with this content.</summary>
    Unchanged,
}
