using Restore.Benchmarks.Measuring;

namespace Restore.Benchmarks.Fetching;

/// <summary>The options of the fetch benchmark.</summary>
internal sealed record FetchOptions
{
    public const string Help = """
          fetch               measures restores from a WebDAV server behind a link
            --round-trip-ms N   from a request to the first byte of its answer (50)
            --rate-mb N         what all connections get together, in MB of 10^6 bytes a second (100)
            --scale X           share of the data: 1 GiB for the restores, 1,000 index volumes for the plan (1)
            --runs N            measured runs of each (3), after one that is not counted
            --only A,B          some of: full,indexes,one-file
            --pass 'ARGUMENTS'  more arguments for the tool
            --cli, --work-dir, --output as for suite
        """;

    public required TimeSpan RoundTrip { get; init; }

    public required double BytesPerSecond { get; init; }

    public required double Scale { get; init; }

    public required int Runs { get; init; }

    public required IReadOnlyList<string> Only { get; init; }

    public required IReadOnlyList<string> Pass { get; init; }

    public required string Tool { get; init; }

    public required string WorkFolder { get; init; }

    public required string OutputFolder { get; init; }

    public required string CommandLine { get; init; }

    /// <exception cref="UsageException">The command line is invalid.</exception>
    public static FetchOptions Parse(Arguments arguments, string commandLine)
    {
        FetchOptions options = new()
        {
            RoundTrip = TimeSpan.FromMilliseconds(arguments.Number("round-trip-ms") ?? 50),
            BytesPerSecond = (arguments.Number("rate-mb") ?? 100) * 1e6,
            Scale = arguments.Number("scale") ?? 1,
            Runs = (int)(arguments.Number("runs") ?? 3),
            Only = arguments.List("only", "full,indexes,one-file"),
            Pass = (arguments.Text("pass") ?? "").Split(' ', StringSplitOptions.RemoveEmptyEntries),
            Tool = arguments.Text("cli") ?? Self.Tool,
            WorkFolder = arguments.WorkFolder("restore-benchmarks-fetch"),
            OutputFolder = arguments.OutputFolder(),
            CommandLine = commandLine,
        };
        arguments.RequireAllUsed();
        return options.Runs > 0 && options.BytesPerSecond > 0 && options.RoundTrip >= TimeSpan.Zero
            ? options
            : throw new UsageException(
                "At least one run, a rate above zero and a round trip of zero or more are needed."
            );
    }
}
