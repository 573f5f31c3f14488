namespace Restore.Browse.Restoring;

/// <summary>
/// The reason is null if all issues of the group have the same one. Lost has the first lost ranges;
/// WholeIn is the version nearest in time that has the file whole.
/// </summary>
internal sealed record IssueAnswer(
    string Path,
    string Name,
    string? Reason,
    IReadOnlyList<ByteRange> Lost,
    long LostRanges,
    int? WholeIn,
    int Version
);
