using System.Globalization;
using Restore.Benchmarks.Data;
using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Reporting;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks.Roofline;

/// <summary>
/// How fast can a verified restore be on this machine? Prints the roofline of each data set and its
/// parts.
/// </summary>
internal static class RooflineCommand
{
    public static async Task<int> RunAsync(Arguments arguments, TextWriter output)
    {
        int runs = arguments.Runs(5);
        SuiteOptions options = SuiteOptions.ForSets(arguments);
        arguments.RequireAllUsed();
        Directory.CreateDirectory(options.WorkFolder);
        foreach (DataSet set in options.Sets)
        {
            try
            {
                PreparedSet prepared = await PreparedSet.MakeAsync(set, options, backup: []);
                List<RooflineRun> measured = [];
                for (int i = 0; i < runs; i++)
                {
                    // A folder of its own: creating files is slower for minutes after others were
                    // deleted.
                    measured.Add(
                        await MeasureAsync(
                            prepared,
                            options,
                            Path.Combine(options.WorkFolder, set.Name, $"roofline-{i}")
                        )
                    );
                }

                await output.WriteLineAsync($"{set.Name}: {Describe(measured)}\n\n{Table(measured)}");
            }
            finally
            {
                Delete(Path.Combine(options.WorkFolder, set.Name));
            }
        }

        return 0;
    }

    /// <summary>Measures the parts once.</summary>
    /// <param name="set">The data set with its backup.</param>
    /// <param name="options">The passphrase, and where the output goes.</param>
    /// <param name="target">A new folder to write to; it stays.</param>
    public static async Task<RooflineRun> MeasureAsync(PreparedSet set, SuiteOptions options, string target)
    {
        string output = Path.Combine(options.WorkFolder, "roofline.txt");
        string[] passphrase = options.Passphrase is null ? [] : ["--passphrase", options.Passphrase];
        set.Warm();
        await PreparedSet.RunAsync(
            [.. Self.Command, "roofline-parts", set.Source, set.Backup, target, .. passphrase],
            output
        );
        return RooflineRun.Parse(await File.ReadAllLinesAsync(output), Environment.ProcessorCount);
    }

    /// <summary>The roofline in one sentence.</summary>
    public static string Describe(IReadOnlyList<RooflineRun> runs) =>
        $"roofline {Units.Seconds(Spread.Of(runs.Select(run => run.Wall.TotalSeconds)))} s on {runs[0].Cores} cores";

    /// <summary>The parts as a table.</summary>
    public static string Table(IReadOnlyList<RooflineRun> runs) =>
        string.Join(
            '\n',
            [
                "| part | CPU s | wall s alone | MB | GB/s of a core |",
                "|---|---:|---:|---:|---:|",
                .. RooflinePart.Names.Select(name => Row(name, [.. runs.Select(run => run[name])])),
                "",
            ]
        );

    private static string Row(string name, IReadOnlyList<RooflinePart> parts)
    {
        Spread processor = Spread.Of(parts.Select(part => part.Processor.TotalSeconds));
        double gigabytes = parts[0].Bytes / 1e9;
        string rate =
            processor.Median > 0 && gigabytes > 0
                ? (gigabytes / processor.Median).ToString("F2", CultureInfo.InvariantCulture)
                : "-";
        string wall = Units.Seconds(Spread.Of(parts.Select(part => part.Wall.TotalSeconds)));
        return $"| {name} | {Units.Seconds(processor)} | {wall} | {Units.Megabytes(parts[0].Bytes)} | {rate} |";
    }

    private static void Delete(string folder)
    {
        if (Directory.Exists(folder))
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
