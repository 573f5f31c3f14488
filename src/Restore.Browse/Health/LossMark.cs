namespace Restore.Browse.Health;

/// <summary>
/// A content that is missing or damaged, and the version that has another state of the file, which
/// nothing is known against. It may be lost too: the state was not read.
/// </summary>
internal sealed record LossMark(IssueKind Kind, int? OtherIn);
