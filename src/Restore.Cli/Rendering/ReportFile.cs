namespace Restore.Cli.Rendering;

/// <summary>A report as a file: JSON, one page of HTML, or text, by the end of its name.</summary>
internal static class ReportFile
{
    public static void Write(
        TextWriter file,
        string name,
        RestoreReport report,
        TimeProvider clock,
        RunHistory? history = null
    )
    {
        var time = clock.GetUtcNow();
        switch (Path.GetExtension(name).ToLowerInvariant())
        {
            case ".json":
                Json.Write(file, ReportJson.Written(time).With(Json.Of(report)));
                break;
            case ".html" or ".htm":
                ReportHtml.Write(file, report, clock, history);
                break;
            default:
                file.WriteLine($"Report of {Units.Time(time, clock)}");
                ReportText.Write(file, report, clock, ReportSize.All);
                break;
        }
    }

    public static void Write(TextWriter file, string name, Failure failure, TimeProvider clock)
    {
        var time = clock.GetUtcNow();
        switch (Path.GetExtension(name).ToLowerInvariant())
        {
            case ".json":
                Json.Write(file, ReportJson.Written(time).With(Json.Of(failure)));
                break;
            case ".html" or ".htm":
                ReportHtml.Write(file, failure, clock);
                break;
            default:
                file.WriteLine($"Report of {Units.Time(time, clock)}");
                file.WriteLine(
                    $"Failed: {SafeText.Escape(string.Join("; ", failure.Lines))} (exit code {failure.ExitCode})"
                );
                break;
        }
    }
}
