using Restore.Cli.Options;
using Restore.Cli.Options.Groups;

namespace Restore.Cli.Commands;

/// <summary><c>restore</c> without the name of a command: restores files.</summary>
internal sealed class RestoreCommand(SharedOptions shared) : ICliCommand
{
    private readonly TargetOptions target = shared.Target;

    public string Name => "restore";

    public string Summary => "restore files";

    public IReadOnlyList<Operand> Operands => [Operand.Storage, Operand.Filters];

    public IReadOnlyList<OptionGroup> Options =>
    [
        shared.Version, shared.Filters, shared.Metadata, shared.TargetFolder, target, shared.Salvage, shared.DryRun,
        shared.Access, shared.Tuning, shared.Output, shared.Report, shared.Program,
    ];

    public IReadOnlyList<string> Examples =>
    [
        "restore /mnt/backup --restore-path=/tmp/out",
        "restore /mnt/backup --restore-path=/tmp/out --dry-run",
        "restore /mnt/backup '*/Documents/*' --version=2 --target /tmp/out",
    ];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context) => RestoreRun.RunAsync(context);
}
