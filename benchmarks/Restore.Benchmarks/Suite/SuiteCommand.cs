using Restore.Benchmarks.Reporting;

namespace Restore.Benchmarks.Suite;

/// <summary>Runs the suite and writes its reports.</summary>
internal static class SuiteCommand
{
    public static async Task<int> RunAsync(SuiteOptions options, TextWriter log, TextWriter output)
    {
        SuiteResult result = await new SuiteRunner(options, log).RunAsync();
        Directory.CreateDirectory(options.OutputFolder);
        string markdown = MarkdownReport.Write(result);
        await File.WriteAllTextAsync(Path.Combine(options.OutputFolder, "restores.csv"), CsvReport.Write(result));
        await File.WriteAllTextAsync(Path.Combine(options.OutputFolder, "restores.md"), markdown);
        await File.WriteAllTextAsync(Path.Combine(options.OutputFolder, "restores.html"), HtmlReport.Write(result));
        await output.WriteLineAsync(markdown);
        return 0;
    }
}
