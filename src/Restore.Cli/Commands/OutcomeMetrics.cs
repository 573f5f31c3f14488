namespace Restore.Cli.Commands;

/// <summary>
/// The result of a command in the text format of Prometheus: when it ended, how, and each number of
/// its JSON.
/// </summary>
internal static class OutcomeMetrics
{
    public static void Write(
        TextWriter output,
        string command,
        string backup,
        int exitCode,
        JsonObject? report,
        TimeProvider clock
    )
    {
        var label = MetricsText.Label(backup);
        Gauge("last_run_timestamp_seconds", "When it ended last, in Unix time", clock.GetUtcNow().ToUnixTimeSeconds());
        Gauge("success", "Whether it ended without a loss", exitCode == ExitCodes.Complete ? 1 : 0);
        Gauge("exit_code", "The exit code of the program", exitCode);
        foreach (var (name, value) in report?.Where(field => field.Key != "exitCode") ?? [])
        {
            if (value?.GetValueKind() == System.Text.Json.JsonValueKind.Number)
            {
                Gauge(
                    Snake(name),
                    $"The number {name} of the report",
                    double.Parse(value.ToJsonString(), CultureInfo.InvariantCulture)
                );
            }
        }

        if (command == "backup" && report is not null)
        {
            WriteGauge(
                "restore_version_suspect",
                "Whether the new version looks like one after an accident or an attack",
                report["suspect"]?.GetValueKind() == System.Text.Json.JsonValueKind.True ? 1 : 0
            );
        }

        void Gauge(string name, string help, double value) => WriteGauge($"restore_{command}_{name}", help, value);

        void WriteGauge(string name, string help, double value)
        {
            output.WriteLine($"# HELP {name} {help}");
            output.WriteLine($"# TYPE {name} gauge");
            output.WriteLine($"{name}{{backup=\"{label}\"}} {value.ToString(CultureInfo.InvariantCulture)}");
        }
    }

    /// <summary>Names of metrics have no capitals by custom.</summary>
    private static string Snake(string name) =>
        string.Concat(
            name.Select(letter => char.IsUpper(letter) ? $"_{char.ToLowerInvariant(letter)}" : letter.ToString())
        );
}
