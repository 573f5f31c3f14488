using System.Text.Json;
using System.Text.Json.Serialization;

namespace Restore.Browser;

/// <summary>The report of a restore as a file to be kept, with every issue: the page shows the first of each kind.</summary>
internal static class TabReport
{
    public static void Write(TextWriter output, IReadOnlyList<RestoreReport> reports) =>
        output.Write(JsonSerializer.Serialize([.. reports.Select(Of)], ReportJson.Default.ReportPartArray));

    private static ReportPart Of(RestoreReport report) => new(
        report.Version.Index,
        report.Version.Time,
        report.Target,
        report.FilesRestored,
        report.FilesUnchanged,
        report.FoldersRestored,
        report.SymlinksRestored,
        report.BytesRestored,
        report.BytesWritten,
        report.BytesFetched,
        report.Elapsed.TotalSeconds,
        [.. report.Issues.Select(issue => new ReportIssue(issue.Kind, issue.IsLoss, issue.Path, issue.Reason, issue.LostRanges))]);
}

/// <summary>What was restored of one version.</summary>
internal sealed record ReportPart(
    int Version, DateTimeOffset Time, string? Target, long Files, long FilesUnchanged, long Folders, long Links, long Bytes, long BytesWritten,
    long BytesFetched, double Seconds, IReadOnlyList<ReportIssue> Issues);

/// <summary>An issue of it; the ranges are those of lost bytes.</summary>
internal sealed record ReportIssue(IssueKind Kind, bool IsLoss, string Path, string Reason, IReadOnlyList<ByteRange> LostRanges);

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UseStringEnumConverter = true)]
[JsonSerializable(typeof(ReportPart[]))]
internal sealed partial class ReportJson : JsonSerializerContext;
