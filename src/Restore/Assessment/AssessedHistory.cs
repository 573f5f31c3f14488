namespace Restore.Assessment;

/// <summary>The verdicts about the versions, and the last good content of each file.</summary>
/// <param name="Versions">The versions that were read, oldest first: what a number of a version in
/// the states means.</param>
internal sealed record AssessedHistory(
    BackupAssessment Assessment,
    FileTable Table,
    FileStates States,
    IReadOnlyList<BackupVersion> Versions
)
{
    /// <summary>Older versions that are not among them because there are too many changes.</summary>
    public int VersionsLeftOut { get; init; }

    /// <summary>The indexes of the versions in which the file asked about is suspect.</summary>
    public IReadOnlyCollection<int> WatchedIsSuspect { get; init; } = [];
}
