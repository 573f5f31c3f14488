using Restore.Benchmarks.Reporting;

namespace Restore.Benchmarks.Suite;

/// <summary>Runs the suite and writes its reports.</summary>
internal static class SuiteCommand
{
    public static async Task<int> RunAsync(SuiteOptions options, TextWriter log, TextWriter output)
    {
        string markdown = "";
        await foreach (SuiteResult result in new SuiteRunner(options, log).RunAsync())
        {
            markdown = MarkdownReport.Write(result);
            await WriteAsync(options, result, markdown);
        }

        await output.WriteLineAsync(markdown);
        return 0;
    }

    /// <summary>Writes the results so far: a suite takes long, and may be interrupted.</summary>
    private static async Task WriteAsync(SuiteOptions options, SuiteResult result, string markdown)
    {
        Directory.CreateDirectory(options.OutputFolder);
        await File.WriteAllTextAsync(Path.Combine(options.OutputFolder, "restores.csv"), CsvReport.Write(result));
        await File.WriteAllTextAsync(
            Path.Combine(options.OutputFolder, "rooflines.csv"),
            CsvReport.WriteRooflines(result)
        );
        await File.WriteAllTextAsync(Path.Combine(options.OutputFolder, "restores.md"), markdown);
        await File.WriteAllTextAsync(Path.Combine(options.OutputFolder, "restores.html"), HtmlReport.Write(result));
    }
}
