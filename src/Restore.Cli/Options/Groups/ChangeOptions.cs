using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>How a backup is changed.</summary>
internal sealed class ChangeOptions(SharedOptions shared) : OptionGroup
{
    public override string Title => "Keeping";

    public override IReadOnlyList<Option> Options => [shared.DryRun.Only, shared.Target.Yes, shared.BreakLock];

    /// <summary>The volumes alone say what versions need, so the database is not read for that: it is kept true.</summary>
    public override HostRequest Apply(HostRequest request, CommandLine line) => request with
    {
        DryRun = line.Value(shared.DryRun.Only),
        Yes = line.Value(shared.Target.Yes),
        KeptDatabase = request.Backup.DatabasePath,
        Backup = request.Backup with { DatabasePath = null },
    };

    public bool BreaksLock(CommandLine line) => line.Value(shared.BreakLock);
}
