namespace Restore.Browse.Restoring;

/// <summary>
/// Issues of one kind in one folder, with the reason that all have or none, and the first entries.
/// </summary>
internal sealed record IssueGroup(
    Severity Severity,
    IssueKind Kind,
    string Folder,
    string? Reason,
    long Count,
    IReadOnlyList<IssueAnswer> Entries
);
