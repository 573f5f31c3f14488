namespace Restore.Browse.Health;

/// <summary>
/// A content that is missing or damaged, and the version that has another state of the file whole.
/// </summary>
internal sealed record LossMark(IssueKind Kind, int? WholeIn);
