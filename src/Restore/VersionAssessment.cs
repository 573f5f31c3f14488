namespace Restore;

/// <summary>What an assessment says about one version, and why.</summary>
/// <param name="Version">One of <see cref="Backup.Versions"/>.</param>
/// <param name="Verdict">Whether it can be restored without a second thought.</param>
/// <param name="Reasons">In words and numbers; at least one.</param>
public sealed record VersionAssessment(BackupVersion Version, VersionVerdict Verdict, IReadOnlyList<string> Reasons)
{
    /// <summary>0 is the newest.</summary>
    public int Index => Version.Index;

    /// <summary>The time of the version, UTC.</summary>
    public DateTimeOffset Time => Version.Time;

    /// <summary>Number of files in it.</summary>
    public long Files { get; init; }

    /// <summary>The length of their contents.</summary>
    public long Bytes { get; init; }

    /// <summary>Files with other content than in the version before it.</summary>
    public long FilesChanged { get; init; }

    /// <summary>Files that the version before it does not have.</summary>
    public long FilesAdded { get; init; }

    /// <summary>Files of the version before it that this version does not have.</summary>
    public long FilesRemoved { get; init; }

    /// <summary>
    /// Files with the content of a file that the version before it has under another name.
    /// </summary>
    public long FilesMoved { get; init; }

    /// <summary>
    /// Files that became suspect in this version or an earlier one and are still suspect; deleted
    /// files count too.
    /// </summary>
    public long FilesSuspect { get; init; }
}
