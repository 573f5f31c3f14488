namespace Restore.Cli.Commands;

/// <summary>The result of a drill in the text format of Prometheus.</summary>
internal static class MetricsText
{
    /// <summary>A text as the value of a label.</summary>
    public static string Label(string backup) =>
        backup
            .Replace("\\", "\\\\", StringComparison.Ordinal)
            .Replace("\"", "\\\"", StringComparison.Ordinal)
            .ReplaceLineEndings("\\n");

    public static void Write(TextWriter output, string backup, int exitCode, RestoreReport? report, TimeProvider clock)
    {
        var label = Label(backup);
        Gauge(
            "last_run_timestamp_seconds",
            "When the last drill ended, in Unix time",
            clock.GetUtcNow().ToUnixTimeSeconds()
        );
        Gauge("success", "Whether everything that it covered is whole", exitCode == ExitCodes.Complete ? 1 : 0);
        Gauge("exit_code", "The exit code of the program", exitCode);
        if (report is not null)
        {
            Gauge("seconds", "How long it took", report.Elapsed.TotalSeconds);
            Gauge("versions", "Versions that it covered", report.Drill?.VersionsCovered ?? 1);
            Gauge("bytes_share", "Share of the bytes of these versions that it covered", report.Drill?.BytesShare ?? 1);
            Gauge("files_verified", "Files whose content is whole", report.FilesRestored);
            Gauge(
                "files_damaged",
                "Entries that are damaged, missing or refused",
                report.Issues.Count(issue => issue.IsLoss)
            );
            Gauge("bytes_verified", "Length of the whole files", report.BytesRestored);
            Gauge("bytes_fetched", "Bytes read from the store", report.BytesFetched);
        }

        void Gauge(string name, string help, double value)
        {
            output.WriteLine($"# HELP restore_drill_{name} {help}");
            output.WriteLine($"# TYPE restore_drill_{name} gauge");
            output.WriteLine(
                $"restore_drill_{name}{{backup=\"{label}\"}} {value.ToString(CultureInfo.InvariantCulture)}"
            );
        }
    }
}
