namespace Restore.Cli.Commands;

/// <summary>
/// A planned change of a backup: shown, confirmed, executed and reported. Not executed in a dry
/// run, nor if there is nothing to do.
/// </summary>
internal sealed record PlannedChange<TReport>
    where TReport : class
{
    public required bool IsNeeded { get; init; }

    public required string Summary { get; init; }

    public required string Question { get; init; }

    /// <summary>The plan, for a person.</summary>
    public required IEnumerable<string> Lines { get; init; }

    public required Func<Task<TReport>> ExecuteAsync { get; init; }

    public required Func<TReport?, JsonObject> JsonOf { get; init; }

    public required Action<TextWriter, TReport> Write { get; init; }

    public required Func<TReport?, IReadOnlyList<RestoreIssue>> IssuesOf { get; init; }

    public Action<TextWriter, IReadOnlyList<RestoreIssue>, ReportSize> WriteIssues { get; init; } =
        (output, issues, size) => IssueText.Write(output, issues, size);

    /// <returns>The exit code.</returns>
    public async Task<int> RunAsync(CommandContext context)
    {
        TReport? report = null;
        var asks = !context.Request.Yes;
        if (!context.Request.DryRun && IsNeeded)
        {
            context.RequireAnswer(Summary);
            if (!context.Confirm(Question, asks ? Lines : []))
            {
                return ExitCodes.Interrupted;
            }

            report = await ExecuteAsync();
        }

        var issues = IssuesOf(report);
        context.Write(
            () => JsonOf(report),
            output =>
            {
                // The question has shown the plan already.
                foreach (var line in report is not null && asks ? [] : Lines)
                {
                    output.WriteLine(SafeText.Escape(line));
                }

                if (report is not null)
                {
                    Write(output, report);
                }

                WriteIssues(output, issues, context.ReportSize);
            }
        );
        return ExitCodes.OfLosses(issues);
    }
}
