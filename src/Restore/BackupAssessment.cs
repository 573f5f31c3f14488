namespace Restore;

/// <summary>Which versions of a backup are good, and which to restore.</summary>
/// <param name="Versions">The versions, newest first.</param>
public sealed record BackupAssessment(IReadOnlyList<VersionAssessment> Versions)
{
    /// <summary>
    /// The version to restore, as <see cref="BackupVersion.Index"/>; null if none can be
    /// recommended.
    /// </summary>
    public int? Recommended { get; init; }

    /// <summary>Why, in one sentence without a full stop.</summary>
    public string Advice { get; init; } = "";

    /// <summary>
    /// Good files of the newest version that the recommended version does not have, or has with
    /// older content.
    /// </summary>
    public long FilesOnlyNewer { get; init; }

    /// <summary>The length of their contents.</summary>
    public long BytesOnlyNewer { get; init; }

    /// <summary>
    /// How many bytes looking inside fetches at most; null if that was not asked for.
    /// </summary>
    public long? InsideBytes { get; init; }

    /// <summary>How many changed files were compared with their content before.</summary>
    public int FilesLookedInto { get; init; }

    /// <summary>What was examined, in one sentence without a full stop.</summary>
    public string Examined { get; init; } = "";
}
