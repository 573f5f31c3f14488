using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>How a backup is changed.</summary>
internal sealed class ChangeOptions(SharedOptions shared) : OptionGroup
{
    public override string Title => "Keeping";

    public override IReadOnlyList<Option> Options => [shared.DryRun.Only, shared.Target.Yes, shared.BreakLock];

    public override HostRequest Apply(HostRequest request, CommandLine line) => request.Backup.DatabasePath is null
        ? request with { DryRun = line.Value(shared.DryRun.Only), Yes = line.Value(shared.Target.Yes) }
        : throw new UsageException(
            "The volumes alone say what versions need: leave out --dbpath, and make the database anew afterwards ('restore database')");

    public bool BreaksLock(CommandLine line) => line.Value(shared.BreakLock);
}
