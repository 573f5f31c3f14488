using Restore.Benchmarks.Measuring;

namespace Restore.Benchmarks.Shards;

/// <summary>The options of the benchmark of restores in shards.</summary>
internal sealed record ShardsOptions
{
    public const string Help = """
          shards              measures restores in 1, 2 and 4 shards, each a process behind a link of its own, and predicts one of 100 TB by a simulation
                              that is fed with what was measured
            --rate-mb N         what each shard gets, in MB of 10^6 bytes a second (50)
            --scale X           share of the data, 1 GiB (1.5)
            --runs N            measured runs of each (2), after one of the first that is not counted
            --plan-of LOCATION  another backup, whose plan is saved, loaded and estimated too
            --machine-cores N   processors of each predicted machine (16)
            --machine-link-mb N link of each predicted machine (3000)
            --cli, --work-dir, --output as for suite
        """;

    public required double BytesPerSecond { get; init; }

    public required double Scale { get; init; }

    public required int Runs { get; init; }

    public required string? PlanOf { get; init; }

    public required int MachineCores { get; init; }

    public required double MachineLinkBytesPerSecond { get; init; }

    public required string Tool { get; init; }

    public required string WorkFolder { get; init; }

    public required string OutputFolder { get; init; }

    public required string CommandLine { get; init; }

    /// <exception cref="UsageException">The command line is invalid.</exception>
    public static ShardsOptions Parse(Arguments arguments, string commandLine)
    {
        ShardsOptions options = new()
        {
            BytesPerSecond = (arguments.Number("rate-mb") ?? 50) * 1e6,
            Scale = arguments.Number("scale") ?? 1.5,
            Runs = arguments.Runs(2),
            PlanOf = arguments.Text("plan-of"),
            MachineCores = (int)(arguments.Number("machine-cores") ?? 16),
            MachineLinkBytesPerSecond = (arguments.Number("machine-link-mb") ?? 3000) * 1e6,
            Tool = arguments.Text("cli") ?? Self.Tool,
            WorkFolder = arguments.WorkFolder("restore-benchmarks-shards"),
            OutputFolder = arguments.OutputFolder(),
            CommandLine = commandLine,
        };
        arguments.RequireAllUsed();
        return options is { BytesPerSecond: > 0, Scale: > 0, MachineCores: > 0, MachineLinkBytesPerSecond: > 0 }
            ? options
            : throw new UsageException("Rates, scale and processors above zero are needed.");
    }
}
