using System.Text;
using Restore.Benchmarks.Roofline;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks.Reporting;

/// <summary>The results as tables.</summary>
internal static class MarkdownReport
{
    public static string Write(SuiteResult result)
    {
        StringBuilder text = new();
        text.AppendLine($"# {ReportText.Title}").AppendLine();
        foreach ((string name, string value) in ReportText.Facts(result))
        {
            text.AppendLine($"* {name}: {value}");
        }

        text.AppendLine().AppendLine(ReportText.Columns);
        AppendGlance(text, result);
        foreach (IGrouping<string, Summary> group in result.Summaries.GroupBy(row => row.Scenario.Group))
        {
            text.AppendLine()
                .AppendLine($"## {group.Key}")
                .AppendLine()
                .AppendLine(ReportText.Describe(group, result))
                .AppendLine();
            text.AppendLine(
                "| case | who | wall s | times the roofline | CPU s | sync s | peak MB | read MB | written MB |"
            );
            text.AppendLine("|---|---|---:|---:|---:|---:|---:|---:|---:|");
            foreach (Summary row in group)
            {
                text.AppendLine(
                    $"| {row.Scenario.Case} | {row.Scenario.Contender.Name} | {Units.Seconds(row.Wall)} | {Roofline(row, result)} | "
                        + $"{Units.Seconds(row.Processor)} | "
                        + $"{Units.Seconds(row.Sync.Median)} | {Units.Megabytes(row.PeakBytes.Median)} | "
                        + $"{Units.Megabytes(row.BytesRead.Median)} | {Units.Megabytes(row.BytesWritten.Median)} |"
                );
            }

            if (result.Rooflines[group.Key].ToArray() is { Length: > 0 } runs)
            {
                text.AppendLine()
                    .AppendLine(Sentence(RooflineCommand.Describe(runs)))
                    .AppendLine()
                    .Append(RooflineCommand.Table(runs));
            }
        }

        return text.ToString();
    }

    private static string Roofline(Summary row, SuiteResult result) =>
        result.TimesRoofline(row) is { } times ? Units.Factor(times) : "-";

    private static string Sentence(string text) => char.ToUpperInvariant(text[0]) + text[1..];

    private static void AppendGlance(StringBuilder text, SuiteResult result)
    {
        Comparison[] comparisons = [.. ReportText.Compare(result)];
        if (comparisons.Length == 0)
        {
            return;
        }

        text.AppendLine().AppendLine("## At a glance").AppendLine();
        text.AppendLine("| set | case | wall s | others: times as long |").AppendLine("|---|---|---:|---|");
        foreach (Comparison one in comparisons)
        {
            string others = string.Join(
                ", ",
                one.Others.Select(other => $"{other.Row.Scenario.Contender.Name} {Units.Factor(other.Factor)}")
            );
            text.AppendLine(
                $"| {one.Group} | {one.Case} | {one.First.Scenario.Contender.Name} {Units.Seconds(one.First.Wall.Median)} | {others} |"
            );
        }
    }
}
