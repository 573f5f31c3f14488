using System.CommandLine;
using Restore.Cli.Parsing;

namespace Restore.Cli.Options.Groups;

/// <summary>Which version of the backup.</summary>
internal sealed class VersionOptions(TimeProvider clock) : OptionGroup
{
    private readonly Option<VersionNumbers?> version = Declare.Versions(
        "--version", "0", "Number of the version, 0 is the newest; an unknown number is an error that lists the known ones. delete takes several: 0,2-4");

    private readonly Option<DateTimeOffset?> time = Declare.Time(
        "--time", clock,
        "Newest version made at or before this time: now, 2026-01-31, 2026-01-31T23:59, 20260131T235959Z, 2W (two weeks ago); not together with --version");

    /// <summary>The option that names versions.</summary>
    public Option<VersionNumbers?> Numbers => version;

    public override string Title => "Selection";

    public override IReadOnlyList<Option> Options => [version, time];

    public override HostRequest Apply(HostRequest request, CommandLine line)
    {
        var (numbers, moment) = (line.Value(version), line.Value(time));
        if (numbers is not null && moment is not null)
        {
            throw new UsageException("--version and --time both name a version; give one of them");
        }

        return numbers is null || VersionExpression.TryGetOne(numbers, out _)
            ? request with { Version = numbers?.Ranges[0].First, Time = moment }
            : throw new UsageException($"--version: {VersionExpression.SeveralIn(numbers)}");
    }
}
