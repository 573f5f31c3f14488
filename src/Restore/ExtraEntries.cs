namespace Restore;

/// <summary>
/// The entries of the target folder that are not in a plan, for
/// <see cref="Backup.DeleteExtraAsync"/>. Immutable.
/// </summary>
public sealed class ExtraEntries
{
    internal ExtraEntries(RestorePlan plan, IReadOnlyList<string> files, IReadOnlyList<string> folders, long bytes)
    {
        Plan = plan;
        Files = files;
        Folders = folders;
        Bytes = bytes;
    }

    /// <summary>Files and links, relative to the target, with '/' between names.</summary>
    public IReadOnlyList<string> Files { get; }

    /// <summary>
    /// Folders, relative to the target; each folder comes before the folders in it.
    /// </summary>
    public IReadOnlyList<string> Folders { get; }

    /// <summary>Length of the files.</summary>
    public long Bytes { get; }

    /// <summary>
    /// What stays: as warnings, places at which something is mounted, and what has a name that is
    /// not text; as refused, folders that cannot be listed. Nothing in them is looked at or
    /// removed.
    /// </summary>
    public IReadOnlyList<RestoreIssue> Staying { get; internal init; } = [];

    internal RestorePlan Plan { get; }
}
