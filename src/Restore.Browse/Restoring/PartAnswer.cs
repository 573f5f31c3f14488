namespace Restore.Browse.Restoring;

/// <summary>
/// BytesFetched were fetched to make the plan, and the cost includes them. Which files are new,
/// replaced or kept is null if the plan has not looked at the target. LastGoodFrom has the versions
/// that files come from, if each comes from its last good one.
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
    long BytesFetched,
    long BytesToFetch,
    int Volumes,
    decimal? Cost,
    IReadOnlyList<int>? LastGoodFrom
);
