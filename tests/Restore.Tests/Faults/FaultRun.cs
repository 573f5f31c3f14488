using Restore.Cli;

namespace Restore.Tests.Faults;

/// <summary>
/// What a run said: its report, or the failure that ended it; neither if it was cancelled.
/// </summary>
internal sealed record FaultRun(RestoreReport? Report, RestoreException? Failure)
{
    public int ExitCode =>
        Report is not null ? ExitCodes.Of(Report)
        : Failure is not null ? ExitCodes.Of(Failure.Kind)
        : ExitCodes.Interrupted;

    public IReadOnlyList<RestoreIssue> Issues => Report?.Issues ?? [];

    /// <summary>
    /// Whether an issue or the failure names the entry; an issue that is about the whole target is
    /// about the entry too.
    /// </summary>
    public bool IsReported(string path, Func<RestoreIssue, bool> which) =>
        Failure?.Message.Contains(path[2..] + ")", StringComparison.Ordinal) == true
        || Issues.Any(issue => which(issue) && (issue.Kind == IssueKind.Doubtful || issue.Path.TrimEnd('/') == path));

    public override string ToString() =>
        $"exit {ExitCode}; {Failure?.Message ?? string.Join("; ", Issues.Select(issue => $"{issue.Kind} {issue.Path}: {issue.Reason}"))}";
}
