using Restore.Benchmarks.Data;

namespace Restore.Benchmarks.Suite;

/// <summary>One point of a sweep: what is different from the plain full restore.</summary>
/// <param name="Value">What the results call it.</param>
/// <param name="Set">Another data set, or null.</param>
/// <param name="Backup">More arguments for the command that makes the backup.</param>
/// <param name="Arguments">More arguments for the tool.</param>
internal sealed record SweepPoint(
    string Value,
    DataSet? Set,
    IReadOnlyList<string> Backup,
    IReadOnlyList<string> Arguments
);

/// <summary>
/// The sweeps: one thing is varied, everything else is a full restore of small-random (of text for
/// levels of compression) by the first flow.
/// </summary>
internal static class Sweep
{
    private static readonly int[] Sparsities = [0, 20, 40, 60, 80, 100];
    private static readonly int[] Processors = [1, 2, 4, 8, 16];
    private static readonly int[] BlockSizes = [4 << 10, 100 << 10, 1 << 20];
    private static readonly string[] CacheSizes = ["0", "16mb", "64mb", "256mb", "4gb"];
    private static readonly int[] Levels = [0, 1, 3, 6, 9];
    private static readonly int[] Capacities = [1, 2, 4, 8, 16];

    public static IReadOnlyList<string> Names { get; } =
    ["sparsity", "file-processors", "preallocation", "cache", "block-size", "compression-level", "channel-capacity"];

    /// <exception cref="UsageException">There is no such sweep.</exception>
    public static string Checked(string name) =>
        Names.Contains(name)
            ? name
            : throw new UsageException($"There is no sweep {name}. There are: {string.Join(", ", Names)}.");

    public static IReadOnlyList<SweepPoint> Points(string name, DataSet small) =>
        name switch
        {
            "sparsity" =>
            [
                .. Sparsities.Select(share => new SweepPoint(
                    $"{share} %",
                    small with
                    {
                        Name = $"sparse-{share}",
                        ZeroShare = share / 100.0,
                    },
                    [],
                    []
                )),
            ],
            "file-processors" =>
            [
                .. Processors.Select(count => new SweepPoint(
                    $"{count}",
                    null,
                    [],
                    [$"--restore-file-processors={count}"]
                )),
            ],
            "preallocation" =>
            [
                new SweepPoint("off", null, [], []),
                new SweepPoint("on", null, [], ["--restore-preallocate-size"]),
            ],
            "cache" => [.. CacheSizes.Select(size => new SweepPoint(size, null, [], [$"--restore-cache-max={size}"]))],
            "block-size" =>
            [
                .. BlockSizes.Select(size => new SweepPoint($"{size >> 10} KiB", null, [$"--block-size={size}"], [])),
            ],
            "compression-level" =>
            [
                .. Levels.Select(level => new SweepPoint($"{level}", OfText(small), [$"--level={level}"], [])),
            ],
            _ =>
            [
                .. Capacities.Select(batches => new SweepPoint(
                    $"{batches}",
                    null,
                    [],
                    [$"--restore-channel-buffer-size={batches}"]
                )),
            ],
        };

    /// <summary>Data that does not compress says nothing about levels.</summary>
    private static DataSet OfText(DataSet small) => small with { Name = "text", Kind = ContentKind.Text };
}
