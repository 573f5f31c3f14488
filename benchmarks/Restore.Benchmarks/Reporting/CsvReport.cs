using System.Globalization;
using System.Text;
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
            csv.AppendLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{Quote(scenario.Group)},{Quote(scenario.Case)},{Quote(scenario.Contender.Name)},{run.Round},"
                + $"{run.Usage.Wall.TotalSeconds:F4},{run.Usage.User.TotalSeconds:F4},{run.Usage.System.TotalSeconds:F4},{run.Sync.TotalSeconds:F4},"
                + $"{run.Usage.PeakBytes},{run.Usage.BytesRead},{run.Usage.BytesWritten},"
                + $"{scenario.Set.Files.Count},{scenario.Set.Bytes},{scenario.Set.BackupBytes}"));
        }

        return csv.ToString();
    }

    private static string Quote(string text) => text.AsSpan().IndexOfAny(',', '"', '\n') < 0
        ? text
        : $"\"{text.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
}
