using System.Globalization;
using System.Text;
using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Reporting;
using Restore.Benchmarks.Suite;
using static System.FormattableString;

namespace Restore.Benchmarks.Sight;

/// <summary>
/// Measures what somebody notices who looks into a backup for the first time: small files by a
/// mount and by WebDAV, a file out of a volume, the end after Ctrl-C, the progress over a slow
/// link.
/// </summary>
internal static class SightCommand
{
    public const string Help = """
          sight               measures looking into a backup: mount, WebDAV, one file of a volume, Ctrl-C, progress; mounts need the root user and FUSE
            --scale X           share of the data (1)
            --runs N            measured runs of each (3)
            --only A,B          some of: mount,neighbors,one-file,stop,progress
            --note TEXT         a line for the report, such as what else runs on the machine
            --cli, --work-dir, --output as for suite
        """;

    public static async Task<int> RunAsync(Arguments arguments, string commandLine, TextWriter log, TextWriter output)
    {
        SightOptions options = new(
            arguments.Number("scale") ?? 1,
            arguments.Runs(3),
            arguments.List("only", "mount,neighbors,one-file,stop,progress"),
            arguments.Text("cli") ?? Self.Tool,
            arguments.WorkFolder("restore-benchmarks-sight")
        );
        string? note = arguments.Text("note");
        string folder = arguments.OutputFolder();
        arguments.RequireAllUsed();
        if (!File.Exists(options.Tool))
        {
            throw new UsageException($"There is no tool {options.Tool}. Build it, or give one with --cli.");
        }

        DateTimeOffset started = TimeProvider.System.GetUtcNow();
        IReadOnlyList<SightFigure> figures = await new SightRunner(options, log).RunAsync();
        Directory.CreateDirectory(folder);
        Machine machine = Machine.Describe(folder);
        StringBuilder text = new();
        text.AppendLine("# Looking into a backup, measured").AppendLine();
        text.AppendLine(
            Invariant(
                $"* Machine: {machine.Processor}, {machine.Cores} cores, {Units.Gibibytes(machine.MemoryBytes)} GiB"
            )
        );
        text.AppendLine($"* System: {machine.System}; {machine.FileSystem}; {machine.Runtime}");
        text.AppendLine(
            Invariant(
                $"* Measured: {started:yyyy-MM-dd HH:mm} UTC, {options.Runs} runs of each; AES; servers are on the same machine"
            )
        );
        if (note is not null)
        {
            text.AppendLine($"* Note: {note}");
        }

        text.AppendLine($"* Command: {commandLine}").AppendLine();
        text.AppendLine(
            "Medians with the lowest and highest in brackets; MB of 10^6 bytes. \"Before\" is what issue 25 reports, of other data of that size."
        );
        text.AppendLine().AppendLine("| what | unit | before | goal | now |").AppendLine("|---|---|---:|---:|---:|");
        foreach (SightFigure figure in figures)
        {
            Spread spread = Spread.Of(figure.Values);
            text.AppendLine(
                $"| {figure.What} | {figure.Unit} | {figure.Before} | {figure.Goal} | {Number(spread.Median)} ({Number(spread.Min)}-{Number(spread.Max)}) |"
            );
        }

        await File.WriteAllTextAsync(Path.Combine(folder, "sight.md"), text.ToString());
        await output.WriteLineAsync(text);
        return 0;
    }

    private static string Number(double value) =>
        value.ToString(
            value < 0.995 ? "F3"
                : value < 9.95 ? "F2"
                : "F1",
            CultureInfo.InvariantCulture
        );
}

internal sealed record SightOptions(double Scale, int Runs, IReadOnlyList<string> Only, string Tool, string WorkFolder);

/// <summary>A row of the report with the value of each run.</summary>
internal sealed record SightFigure(string What, string Unit, string Before, string Goal)
{
    public List<double> Values { get; } = [];
}
