using Restore.Benchmarks.Data;
using Restore.Benchmarks.Measuring;

namespace Restore.Benchmarks.Suite;

/// <summary>The options of the suite.</summary>
internal sealed record SuiteOptions
{
    public const string Help = """
          suite               measures whole restores
            --sets A,B          data sets (small-random,small-text,many); also medium and large
            --scale X           share of the files and bytes of each set (1)
            --cases A,B         full,partial,changed,no-restore,metadata-only
            --flows A,B         new,legacy,flushed (as new, and waits until the device has everything)
            --compare 'NAME=COMMAND'
                                another program, measured in the case full and checked like ours; may be given several times. In the command {backup}, {target},
                                {source} and {passphrase} are replaced; quote words with spaces
            --sweeps A,B        sparsity,file-processors,preallocation,cache,block-size,compression-level,channel-capacity, or none (all)
            --runs N            measured runs of each (5), after --warm-ups N (1)
            --plain             with yes the backups are not encrypted
            --cli FILE          the tool to measure (the one built with this program)
            --prime-mb N        memory touched before each run (half of what is free; 0 for none)
            --work-dir FOLDER   where data and backups are made and removed again (a folder below the system's for temporary files)
            --output FOLDER     where the results go (benchmarks/results)
            --seed N            of the shuffling (1)
        """;

    public required IReadOnlyList<DataSet> Sets { get; init; }

    public required IReadOnlyList<RestoreCase> Cases { get; init; }

    public required IReadOnlyList<Contender> Contenders { get; init; }

    public required IReadOnlyList<string> Sweeps { get; init; }

    public int Runs { get; init; } = 5;

    public int WarmUps { get; init; } = 1;

    public double Scale { get; init; } = 1;

    public string? Passphrase { get; init; } = "benchmark";

    public long? PrimeBytes { get; init; }

    public required string WorkFolder { get; init; }

    public required string OutputFolder { get; init; }

    public ulong Seed { get; init; } = 1;

    public required string CommandLine { get; init; }

    /// <summary>The options of a command that needs data sets and their backups only.</summary>
    /// <exception cref="UsageException">The command line is invalid.</exception>
    public static SuiteOptions ForSets(Arguments arguments)
    {
        double scale = arguments.Number("scale") ?? 1;
        return new SuiteOptions
        {
            Sets =
            [
                .. arguments
                    .List("sets", "small-random,small-text,many")
                    .Select(name => DataSet.Named(name).Scale(scale)),
            ],
            Cases = [],
            Contenders = [],
            Sweeps = [],
            Scale = scale,
            Passphrase = arguments.Passphrase(),
            WorkFolder = arguments.WorkFolder("restore-benchmarks"),
            OutputFolder = "",
            CommandLine = "",
        };
    }

    /// <summary>
    /// The options of the command that measures the goals. Contenders: the new flow, the same
    /// flushed, programs to compare with.
    /// </summary>
    /// <exception cref="UsageException">The command line is invalid.</exception>
    public static SuiteOptions ForGoals(Arguments arguments, string commandLine)
    {
        string tool = arguments.Text("cli") ?? Self.Tool;
        return new SuiteOptions
        {
            Sets = [],
            Cases = [],
            Contenders =
            [
                Contender.Flow("new", tool),
                Contender.Flow("flushed", tool),
                .. arguments.All("compare").Select(Contender.Other),
            ],
            Sweeps = [],
            Runs = arguments.Runs(5),
            Scale = arguments.Number("scale") ?? 1,
            Passphrase = arguments.Passphrase(),
            PrimeBytes = PrimeFrom(arguments),
            WorkFolder = Path.Combine(arguments.WorkFolder("restore-benchmarks"), "goals"),
            OutputFolder = arguments.OutputFolder(),
            Seed = (ulong)(arguments.Number("seed") ?? 1),
            CommandLine = commandLine,
        };
    }

    /// <exception cref="UsageException">The command line is invalid.</exception>
    public static SuiteOptions Parse(Arguments arguments, string commandLine)
    {
        double scale = arguments.Number("scale") ?? 1;
        string tool = arguments.Text("cli") ?? Self.Tool;
        SuiteOptions options = new()
        {
            Sets =
            [
                .. arguments
                    .List("sets", "small-random,small-text,many")
                    .Select(name => DataSet.Named(name).Scale(scale)),
            ],
            Cases = [.. arguments.List("cases", string.Join(',', RestoreCase.Names)).Select(RestoreCase.Named)],
            Contenders =
            [
                .. arguments.List("flows", "new,legacy,flushed").Select(name => Contender.Flow(name, tool)),
                .. arguments.All("compare").Select(Contender.Other),
            ],
            Sweeps =
                arguments.Text("sweeps") == "none"
                    ? []
                    : [.. arguments.List("sweeps", string.Join(',', Sweep.Names)).Select(Sweep.Checked)],
            Scale = scale,
            Runs = arguments.Runs(5),
            WarmUps = (int)(arguments.Number("warm-ups") ?? 1),
            Passphrase = arguments.Passphrase(),
            PrimeBytes = PrimeFrom(arguments),
            WorkFolder = arguments.WorkFolder("restore-benchmarks"),
            OutputFolder = arguments.OutputFolder(),
            Seed = (ulong)(arguments.Number("seed") ?? 1),
            CommandLine = commandLine,
        };
        arguments.RequireAllUsed();
        return options;
    }

    private static long? PrimeFrom(Arguments arguments) =>
        arguments.Number("prime-mb") is { } megabytes ? (long)megabytes << 20 : null;
}
