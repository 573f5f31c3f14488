namespace Restore.Reporting;

/// <summary>
/// Why something could not be done: the reason and the code of the issue that it becomes.
/// </summary>
/// <param name="Sentence">A sentence without a full stop.</param>
internal readonly record struct IssueReason(string Sentence, IssueCode Code = IssueCode.None)
{
    public static IssueReason Of(Exception failure) => new(failure.Reason(), failure.ToIssueCode());
}
