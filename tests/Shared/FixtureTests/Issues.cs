namespace Restore.Tests.FixtureTests;

/// <summary>The issues of a report, for messages of tests.</summary>
internal static class Issues
{
    public static string Text(RestoreReport report) =>
        string.Join('\n', report.Issues.Select(issue => $"{issue.Kind} {issue.Path}: {issue.Reason}"));
}
