namespace Restore.Cli.Rendering;

/// <summary>
/// The table of <c>--internal-profiling</c>. The process that works while its neighbors wait is the
/// bottleneck.
/// </summary>
internal static class ProfileText
{
    public static void Write(TextWriter output, RestoreReport report, long peakMemoryBytes)
    {
        output.WriteLine();
        output.WriteLine(
            $"{"Process", -20} {"Copies", 6} {"Messages", 12} {"MiB", 10} {"Reading", 8} {"Working", 8} {"Writing", 8}"
        );
        foreach (var process in report.Profile)
        {
            var total = process.Reading + process.Working + process.Writing;
            output.Write(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{process.Process, -20} {process.Copies, 6} {process.Messages, 12:N0} {process.Bytes / 1048576.0, 10:N1}"
                )
            );
            output.WriteLine(
                $" {Share(process.Reading, total), 8} {Share(process.Working, total), 8} {Share(process.Writing, total), 8}"
            );
        }

        output.WriteLine();
        foreach (var phase in report.Phases)
        {
            output.WriteLine($"{phase.Phase, -20} {Units.Duration(phase.Elapsed), 12}");
        }

        output.WriteLine($"{"Peak memory", -20} {Units.Bytes(peakMemoryBytes), 12}");
        foreach (var choice in report.Choices)
        {
            output.WriteLine(SafeText.Escape(choice));
        }
    }

    private static string Share(TimeSpan part, TimeSpan total) => Units.Percent(part.TotalSeconds, total.TotalSeconds);
}
