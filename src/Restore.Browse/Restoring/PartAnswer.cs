namespace Restore.Browse.Restoring;

/// <summary>
/// Which files are new, replaced or kept is null if the plan has not looked at the target.
/// </summary>
internal sealed record PartAnswer(
    int Version,
    DateTimeOffset Time,
    string? Target,
    long Files,
    long? NewFiles,
    long? ReplacedFiles,
    long? KeptFiles,
    long Bytes,
    long BytesToWrite,
    long BytesToFetch,
    int Volumes,
    decimal? Cost
);
