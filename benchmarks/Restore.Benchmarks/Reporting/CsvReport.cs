using System.Globalization;
using System.Text;
using Restore.Benchmarks.Roofline;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks.Reporting;

/// <summary>One line for every run, for further computations.</summary>
internal static class CsvReport
{
    private const string Header =
        "group,case,contender,round,wall_s,user_s,system_s,sync_s,peak_bytes,bytes_read,bytes_written,files,content_bytes,backup_bytes";

    public static string Write(SuiteResult result)
    {
        StringBuilder csv = new();
        csv.AppendLine(Header);
        foreach (Measurement run in result.Measurements)
        {
            Scenario scenario = run.Scenario;
            csv.AppendLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{Quote(scenario.Group)},{Quote(scenario.Case)},{Quote(scenario.Contender.Name)},{run.Round},"
                        + $"{run.Usage.Wall.TotalSeconds:F4},{run.Usage.User.TotalSeconds:F4},{run.Usage.System.TotalSeconds:F4},{run.Sync.TotalSeconds:F4},"
                        + $"{run.Usage.PeakBytes},{run.Usage.BytesRead},{run.Usage.BytesWritten},"
                        + $"{scenario.Set.Files.Count},{scenario.Set.Bytes},{scenario.Set.BackupBytes}"
                )
            );
        }

        return csv.ToString();
    }

    /// <summary>
    /// One line for every part of every roofline, and one for the roofline itself.
    /// </summary>
    public static string WriteRooflines(SuiteResult result)
    {
        StringBuilder csv = new("set,round,part,cpu_s,wall_s,bytes\n");
        foreach (IGrouping<string, RooflineRun> set in result.Rooflines)
        {
            foreach ((int i, RooflineRun run) in set.Index())
            {
                RooflinePart whole = new("roofline", TimeSpan.Zero, run.Wall, 0);
                foreach (RooflinePart part in run.Parts.Append(whole))
                {
                    csv.AppendLine(
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"{set.Key},{i + 1},{Quote(part.Name)},{part.Processor.TotalSeconds:F4},{part.Wall.TotalSeconds:F4},{part.Bytes}"
                        )
                    );
                }
            }
        }

        return csv.ToString();
    }

    private static string Quote(string text) =>
        text.AsSpan().IndexOfAny(',', '"', '\n') < 0
            ? text
            : $"\"{text.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
}
