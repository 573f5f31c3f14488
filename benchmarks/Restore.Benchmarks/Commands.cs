using System.Globalization;
using Restore.Benchmarks.Comparing;
using Restore.Benchmarks.Data;
using Restore.Benchmarks.Fetching;
using Restore.Benchmarks.Goals;
using Restore.Benchmarks.Histories;
using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Micro;
using Restore.Benchmarks.Reporting;
using Restore.Benchmarks.Roofline;
using Restore.Benchmarks.Shards;
using Restore.Benchmarks.Sight;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks;

/// <summary>The commands of the benchmark program.</summary>
internal static class Commands
{
    private const string Help = $"""
        Usage: Restore.Benchmarks <command> [options]

          micro [--report FILE] [...]
                              the micro benchmarks; other arguments go to BenchmarkDotNet, for example --filter '*Inflate*'. Their tables are written to FILE;
                              without arguments all run, and FILE is benchmarks/results/micro.md
        {SuiteOptions.Help}
        {CompareCommand.Help}
        {FetchOptions.Help}
        {GoalsCommand.Help}
        {ShardsOptions.Help}
        {SightCommand.Help}
        {HistoriesCommand.Help}
          loop SOURCE [--block-size N] [--level N] [--compress no]
                              reads, compresses and hashes a folder on all cores: the yardstick of the writer
          roofline [--sets A,B] [--scale X] [--runs N] [--plain yes] [--work-dir FOLDER]
                              measures what no verified restore can leave out, each part alone on all cores: read, authenticate, decrypt, entries, one hash,
                              write. The roofline is the larger of their processor time on all cores and the time of the device; suite prints it too
          roofline-parts SOURCE BACKUP TARGET [--passphrase P]
                              measures the parts once, for roofline and suite
          readme [--check yes]
                              writes the speed table of README.md from the newest whole run of goals in benchmarks/results, or says whether it is up to date
          smoke               every micro benchmark once, a tiny suite, tiny goals, a tiny fetch and a restore in shards: seconds, correctness only
          prime N             touches N MiB of memory and gives it back as others need it, until it is killed
          generate OUT [--set NAME] [--scale X] [--files N] [--bytes N] [--max-file N] [--zeros SHARE] [--kind random|text|tiny] [--seed N]
                              makes a data set: small-random, small-text, medium, large or many, scaled, and with single numbers changed
          backup SOURCE DESTINATION [--passphrase P] [--block-size N] [--volume-size N] [--level N]
                              backs a folder up with the library's own writer

        Run it optimized: dotnet run -c Release --project benchmarks/Restore.Benchmarks -- <command>
        """;

    private const int UsageError = 2;

    public static async Task<int> RunAsync(string[] args)
    {
        if (AsksForHelp(args))
        {
            Console.WriteLine(Help);
            return 0;
        }

        try
        {
            Arguments arguments = Arguments.Parse(args.FirstOrDefault() == "micro" ? [] : args.Skip(1));
            switch (args.FirstOrDefault())
            {
                case "generate":
                    return Generate(arguments);
                case "backup":
                    return await BackUpAsync(arguments);
                case "suite":
                    return await SuiteCommand.RunAsync(
                        SuiteOptions.Parse(arguments, $"-- {string.Join(' ', args)}"),
                        Console.Error,
                        Console.Out
                    );
                case "fetch":
                    return await FetchCommand.RunAsync(
                        FetchOptions.Parse(arguments, $"-- {string.Join(' ', args)}"),
                        Console.Error,
                        Console.Out
                    );
                case "shards":
                    return await ShardsCommand.RunAsync(
                        ShardsOptions.Parse(arguments, $"-- {string.Join(' ', args)}"),
                        Console.Error,
                        Console.Out
                    );
                case "micro":
                    return MicroCommand.Run(args[1..]);
                case "roofline":
                    return await RooflineCommand.RunAsync(arguments, Console.Out);
                case "roofline-parts":
                    return await RooflineParts.RunAsync(arguments, Console.Out);
                case "readme":
                    return await ReadmeCommand.RunAsync(arguments, Console.Out);
                case "goals":
                    return await GoalsCommand.RunAsync(
                        arguments,
                        $"-- {string.Join(' ', args)}",
                        Console.Error,
                        Console.Out
                    );
                case "compare":
                    return await CompareCommand.RunAsync(arguments, Console.Error, Console.Out);
                case "sight":
                    return await SightCommand.RunAsync(
                        arguments,
                        $"-- {string.Join(' ', args)}",
                        Console.Error,
                        Console.Out
                    );
                case "histories":
                    return await HistoriesCommand.RunAsync(
                        arguments,
                        $"-- {string.Join(' ', args)}",
                        Console.Error,
                        Console.Out
                    );
                case "loop":
                    return LoopCommand.Run(arguments);
                case "smoke":
                    return await SmokeCommand.RunAsync();
                case "prime":
                    return await MemoryPrimer.RunAsync(
                        (long)arguments.PositionalNumber(0, "how many MiB to touch") << 20
                    );
                default:
                    Console.WriteLine(Help);
                    return UsageError;
            }
        }
        catch (Exception failure) when (failure is UsageException or SuiteException or RestoreException)
        {
            await Console.Error.WriteLineAsync(failure.Message);
            return failure is UsageException ? UsageError : 1;
        }
    }

    /// <summary>
    /// Whether help is requested, with or without a command. BenchmarkDotNet has its own help, for
    /// its own arguments.
    /// </summary>
    private static bool AsksForHelp(string[] args) =>
        args is [] or ["help", ..] or [_, "help"] || (args[0] != "micro" && args.Contains("--help"));

    private static int Generate(Arguments arguments)
    {
        string folder = arguments.Positional(0, "the folder to make the data set in");
        DataSet set = DataSet.FromArguments(arguments);
        arguments.RequireAllUsed();
        GeneratedData made = DataGenerator.Generate(set, folder);
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{set.Name}: {made.Files:N0} files, {made.Bytes:N0} bytes, of which {made.ZeroBytes:N0} are blocks of zeros; "
                    + $"largest file {made.LargestBytes:N0}"
            )
        );
        return 0;
    }

    private static async Task<int> BackUpAsync(Arguments arguments)
    {
        BackupWriterOptions options = new()
        {
            Sources = [arguments.Positional(0, "the folder to back up")],
            Destination = arguments.Positional(1, "the destination"),
            Passphrase = arguments.Text("passphrase"),
            BlockSizeBytes = (int)(arguments.Number("block-size") ?? 1 << 20),
            VolumeSizeBytes = (int)(arguments.Number("volume-size") ?? 50 << 20),
            CompressionLevel = (int)(arguments.Number("level") ?? 6),
            Profile = true,
        };
        arguments.RequireAllUsed();
        BackupWriterReport report = await new BackupWriter(options).WriteAsync();
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{report.Files:N0} files, {report.Bytes:N0} bytes; "
                    + $"{report.NewBlocks:N0} new of {report.Blocks:N0} blocks ({report.NewBlockBytes:N0} bytes) in "
                    + $"{report.BlockVolumes} volumes, {report.BytesWritten:N0} bytes written, {report.Elapsed.TotalSeconds:F2} s"
            )
        );
        foreach (ProcessProfile row in report.Profile)
        {
            Console.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"  {row.Process, -18} x{row.Copies}  {row.Messages, 8:N0} messages  reading {row.Reading.TotalSeconds, 6:F2} s  "
                        + $"working {row.Working.TotalSeconds, 6:F2} s  writing {row.Writing.TotalSeconds, 6:F2} s"
                )
            );
        }

        foreach (RestoreIssue issue in report.Issues)
        {
            Console.WriteLine($"  {issue.Path}: {issue.Reason}");
        }

        return report.Issues.All(issue => issue.Kind == IssueKind.Warning) ? 0 : 1;
    }
}
