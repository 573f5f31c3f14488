using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.InProcess.Emit;

namespace Restore.Benchmarks.Micro;

/// <summary>
/// Runs the micro benchmarks in this process: it measures the library as built, and nothing has to
/// be restored or compiled.
/// </summary>
internal static class MicroCommand
{
    // More would take seconds to set up and hundreds of MB.
    private const int MostOfSmoke = 1_000_000;

    private const string ReportOption = "--report";

    private static readonly string ReportFile = Path.Combine("benchmarks", "results", "micro.md");

    /// <summary>
    /// Runs the chosen benchmarks, and writes their tables to the file of the option
    /// <c>--report</c>; without a choice, to one file beside the results of the suite.
    /// </summary>
    public static int Run(string[] args)
    {
        IConfig config = Configure(Job.Default).AddLogger(ConsoleLogger.Default);
        int at = Array.IndexOf(args, ReportOption);
        string? report =
            at >= 0 && at + 1 < args.Length ? args[at + 1]
            : args.Length == 0 ? ReportFile
            : null;
        string[] choice = at >= 0 ? [.. args[..at], .. args[Math.Min(at + 2, args.Length)..]] : args;
        Summary[] summaries =
        [
            .. BenchmarkSwitcher
                .FromAssembly(typeof(MicroCommand).Assembly)
                .Run(choice.Length == 0 ? ["--filter", "*"] : choice, config),
        ];
        if (report is not null)
        {
            WriteReport(summaries, report);
        }

        return (summaries.Length > 0 || args.Contains("--help")) && summaries.All(IsSound) ? 0 : 1;
    }

    /// <summary>Runs each once.</summary>
    /// <returns>The benchmarks that failed.</returns>
    public static IReadOnlyList<string> Smoke(string artifactsFolder)
    {
        IConfig config = Configure(Job.Dry)
            .AddLogger(NullLogger.Instance)
            .WithOptions(ConfigOptions.DisableLogFile)
            .WithArtifactsPath(artifactsFolder)
            .AddFilter(
                new SimpleFilter(one => one.Parameters.Items.All(parameter => parameter.Value is not > MostOfSmoke))
            );
        Summary[] summaries = [.. BenchmarkSwitcher.FromAssembly(typeof(MicroCommand).Assembly).RunAll(config)];
        return
        [
            .. summaries
                .SelectMany(summary => summary.ValidationErrors)
                .Where(error => error.IsCritical)
                .Select(error => error.Message),
            .. summaries
                .SelectMany(summary => summary.Reports)
                .Where(report => !report.Success)
                .Select(report => report.BenchmarkCase.DisplayInfo),
        ];
    }

    private static void WriteReport(Summary[] summaries, string file)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(file))!);
        using StreamLogger report = new(file);
        foreach (Summary summary in summaries)
        {
            report.WriteLine(LogKind.Default, $"## {summary.BenchmarksCases[0].Descriptor.Type.Name}");
            MarkdownExporter.GitHub.ExportToLog(summary, report);
        }
    }

    private static ManualConfig Configure(Job job) =>
        ManualConfig
            .CreateEmpty()
            .AddJob(job.WithToolchain(InProcessEmitToolchain.Instance))
            .AddColumnProvider(DefaultColumnProviders.Instance)
            .AddColumn(new ThroughputColumn())
            .AddDiagnoser(MemoryDiagnoser.Default);

    private static bool IsSound(Summary summary) =>
        !summary.HasCriticalValidationErrors && summary.Reports.All(report => report.Success);
}
