using System.Text;
using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Reporting;
using Restore.Benchmarks.Suite;
using static System.FormattableString;

namespace Restore.Benchmarks.Fetching;

/// <summary>Runs the fetch benchmark and writes its report.</summary>
internal static class FetchCommand
{
    public static async Task<int> RunAsync(FetchOptions options, TextWriter log, TextWriter output)
    {
        DateTimeOffset started = TimeProvider.System.GetUtcNow();
        IReadOnlyList<FetchCase> cases = await new FetchRunner(options, log).RunAsync();
        Directory.CreateDirectory(options.OutputFolder);
        string report = Write(options, cases, started);
        await File.WriteAllTextAsync(Path.Combine(options.OutputFolder, "fetch.md"), report);
        await output.WriteLineAsync(report);
        return 0;
    }

    private static string Write(FetchOptions options, IReadOnlyList<FetchCase> cases, DateTimeOffset started)
    {
        Machine machine = Machine.Describe(options.OutputFolder);
        StringBuilder text = new();
        text.AppendLine("# Restores from afar, measured").AppendLine();
        text.AppendLine(
            Invariant(
                $"* Machine: {machine.Processor}, {machine.Cores} cores, {Units.Gibibytes(machine.MemoryBytes)} GiB, for server and program"
            )
        );
        text.AppendLine($"* System: {machine.System}; {machine.FileSystem}; {machine.Runtime}");
        text.AppendLine(
            Invariant(
                $"* Link: {options.RoundTrip.TotalMilliseconds} ms for a request or a new connection, {options.BytesPerSecond / 1e6} MB/s for all together"
            )
        );
        text.AppendLine(
            Invariant(
                $"* Measured: {started:yyyy-MM-dd HH:mm} UTC, {options.Runs} runs of each after one that is not counted; AES, results compared with the source"
            )
        );
        text.AppendLine($"* Command: {options.CommandLine}").AppendLine();
        text.AppendLine(
            "Medians with the lowest and highest in brackets; MB of 10^6 bytes. Seconds and the share of the link are from the start of the"
        );
        text.AppendLine(
                "program to its end, the share for data from the first request for a block volume to the last byte of one."
            )
            .AppendLine();
        text.AppendLine(
            "| what | goal | wall s | share of the link | for data | MB fetched | requests | connections | CPU s | peak MB |"
        );
        text.AppendLine("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|");
        foreach (FetchCase row in cases)
        {
            Spread share = row.LinkPercent(options.BytesPerSecond);
            text.AppendLine(
                $"| {row.What} | {row.Goal} | {Units.Seconds(row.Wall)} | "
                    + $"{Units.Whole(share.Median)} % ({Units.Whole(share.Min)}-{Units.Whole(share.Max)}) | "
                    + $"{Units.Whole(row.DataPercent.Median)} % | {Megabytes(row.Of(run => run.Bytes).Median)} | "
                    + $"{Units.Whole(row.Of(run => run.Requests).Median)} | {Units.Whole(row.Of(run => run.Connections).Median)} | "
                    + $"{Units.Seconds(row.Of(run => (run.Usage.User + run.Usage.System).TotalSeconds).Median)} | "
                    + $"{Units.Megabytes(row.Of(run => run.Usage.PeakBytes).Median)} |"
            );
        }

        return text.ToString();
    }

    private static string Megabytes(double bytes) =>
        bytes < 1e6 ? Invariant($"{bytes / 1e6:F3}") : Units.Megabytes(bytes);
}
