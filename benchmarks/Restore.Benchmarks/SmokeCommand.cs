using System.Globalization;
using Restore.Benchmarks.Comparing;
using Restore.Benchmarks.Fetching;
using Restore.Benchmarks.Goals;
using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Micro;
using Restore.Benchmarks.Reporting;
using Restore.Benchmarks.Roofline;
using Restore.Benchmarks.Shards;
using Restore.Benchmarks.Sight;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks;

/// <summary>Everything once, as small as possible: tests that it works, not how fast.</summary>
internal static class SmokeCommand
{
    public static async Task<int> RunAsync()
    {
        long start = TimeProvider.System.GetTimestamp();
        string folder = Directory.CreateTempSubdirectory("restore-benchmark-").FullName;
        IReadOnlyList<string> failed = MicroCommand.Smoke(folder);
        foreach (string failure in failed)
        {
            await Console.Error.WriteLineAsync($"Micro benchmark failed: {failure}");
        }

        try
        {
            string[] suite =
            [
                "--sets",
                "small-text,many",
                "--sweeps",
                "compression-level",
                "--scale",
                "0.005",
                "--runs",
                "1",
                "--warm-ups",
                "0",
                "--prime-mb",
                "16",
                "--work-dir",
                Path.Combine(folder, "work"),
                "--output",
                Path.Combine(folder, "results"),
            ];
            await SuiteCommand.RunAsync(
                SuiteOptions.Parse(Arguments.Parse(suite), "-- smoke"),
                log: TextWriter.Null,
                output: TextWriter.Null
            );
            string[] roofline =
            [
                "--sets",
                "small-text,many",
                "--scale",
                "0.005",
                "--runs",
                "1",
                "--work-dir",
                Path.Combine(folder, "work"),
            ];
            await RooflineCommand.RunAsync(Arguments.Parse(roofline), TextWriter.Null);
            string[] compare =
            [
                Self.Tool,
                Self.Tool,
                "--sets",
                "small-text",
                "--scale",
                "0.005",
                "--runs",
                "1",
                "--at-most",
                "1000",
                "--work-dir",
                Path.Combine(folder, "work"),
            ];
            int compared = await CompareCommand.RunAsync(
                Arguments.Parse(compare),
                log: TextWriter.Null,
                output: TextWriter.Null
            );
            failed = compared == 0 ? failed : [.. failed, "compare"];
            string[] goals =
            [
                "--groups",
                "start,flush,writer,keeping",
                "--scale",
                "0.002",
                "--runs",
                "1",
                "--work-dir",
                Path.Combine(folder, "work"),
                "--output",
                Path.Combine(folder, "results"),
            ];
            await GoalsCommand.RunAsync(
                Arguments.Parse(goals),
                "-- smoke",
                log: TextWriter.Null,
                output: TextWriter.Null
            );
            string[] fetch =
            [
                "--scale",
                "0.02",
                "--runs",
                "1",
                "--round-trip-ms",
                "2",
                "--work-dir",
                Path.Combine(folder, "work"),
                "--output",
                Path.Combine(folder, "results"),
            ];
            await FetchCommand.RunAsync(
                FetchOptions.Parse(Arguments.Parse(fetch), "-- smoke"),
                log: TextWriter.Null,
                output: TextWriter.Null
            );
            string[] sight =
            [
                "--only",
                "neighbors,one-file",
                "--scale",
                "0.01",
                "--runs",
                "1",
                "--work-dir",
                Path.Combine(folder, "work"),
                "--output",
                Path.Combine(folder, "results"),
            ];
            await SightCommand.RunAsync(
                Arguments.Parse(sight),
                "-- smoke",
                log: TextWriter.Null,
                output: TextWriter.Null
            );
            string[] shards =
            [
                "--scale",
                "0.01",
                "--runs",
                "1",
                "--work-dir",
                Path.Combine(folder, "work"),
                "--output",
                Path.Combine(folder, "results"),
            ];
            await ShardsCommand.RunAsync(
                ShardsOptions.Parse(Arguments.Parse(shards), "-- smoke"),
                log: TextWriter.Null,
                output: TextWriter.Null
            );
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }

        int readme = await ReadmeCommand.RunAsync(Arguments.Parse(["--check", "yes"]), Console.Error);
        TimeSpan elapsed = TimeProvider.System.GetElapsedTime(start);
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"Benchmarks: {(failed.Count == 0 ? "all run" : "some failed")}, {elapsed.TotalSeconds:F0} s"
            )
        );
        return failed.Count == 0 ? readme : 1;
    }
}
