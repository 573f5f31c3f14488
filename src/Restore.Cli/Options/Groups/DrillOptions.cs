using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>What a drill covers, and what it tells a monitoring system.</summary>
internal sealed class DrillOptions(TimeProvider clock) : OptionGroup
{
    private readonly Option<bool> allVersions = Declare.Flag("--all-versions", "All versions in one run: each volume is read once, each block verified once");

    private readonly Option<DateTimeOffset?> since = Declare.Time("--since", clock, "The versions made at or after this time, in one run; as --time");

    private readonly Option<double?> sample = Declare.Percent(
        "--sample", "100%", "Only files chosen at random, up to this share of all bytes; the report says what was covered");

    private readonly Option<int?> seed = Declare.Count(
        "--seed", 0, int.MaxValue, "another one each time", "Seed of the choice; the same seed chooses the same files of the same versions");

    private readonly Option<string?> metrics = Declare.Text(
        "--metrics", "FILE", null, "Write the result to a file for Prometheus (textfile collector), also if the run fails");

    public override string Title => "Drill";

    public override IReadOnlyList<Option> Options => [allVersions, since, sample, seed, metrics];

    public override HostRequest Apply(HostRequest request, CommandLine line)
    {
        var (all, moment) = (line.Value(allVersions), line.Value(since));
        if ((all || moment is not null) && (request.Version is not null || request.Time is not null))
        {
            throw new UsageException("--all-versions and --since name several versions, --version and --time one of them; give either");
        }

        if (all && moment is not null)
        {
            throw new UsageException("--all-versions and --since both name versions; give one of them");
        }

        return line.Value(seed) is not null && line.Value(sample) is null
            ? throw new UsageException("--seed is the seed of --sample, which is missing")
            : request with { AllVersions = all, Since = moment, Sample = SampleOf(line), MetricsFile = line.Value(metrics) };
    }

    private DrillSample? SampleOf(CommandLine line) =>
        line.Value(sample) is { } share ? new DrillSample(share, line.Value(seed) ?? (int)(clock.GetUtcNow().ToUnixTimeSeconds() & int.MaxValue)) : null;
}
