using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>Which version of the backup.</summary>
internal sealed class VersionOptions(TimeProvider clock) : OptionGroup
{
    private readonly Option<int?> version = Declare.Version(
        "--version", "0", "Number of the version, 0 is the newest; an unknown number is an error that lists the known ones");

    private readonly Option<DateTimeOffset?> time = Declare.Time(
        "--time", clock,
        "Newest version made at or before this time: now, 2026-01-31, 2026-01-31T23:59, 20260131T235959Z, 2W (two weeks ago); not together with --version");

    public override string Title => "Selection";

    public override IReadOnlyList<Option> Options => [version, time];

    public override HostRequest Apply(HostRequest request, CommandLine line)
    {
        var (number, moment) = (line.Value(version), line.Value(time));
        return number is null || moment is null
            ? request with { Version = number, Time = moment }
            : throw new UsageException("--version and --time both name a version; give one of them");
    }
}
