namespace Restore.Cli.Commands;

internal sealed class RestoreCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "restore";

    public bool RunsLong => true;

    public string Summary => "restore files";

    public IReadOnlyList<Operand> Operands => [Operand.Storage, Operand.Filters];

    public IReadOnlyList<OptionGroup> Options =>
        [
            shared.Version,
            shared.LastGood.Group,
            shared.Filters,
            shared.Order,
            shared.Metadata,
            shared.TargetFolder,
            shared.Target,
            shared.Deletion,
            shared.Writing,
            shared.Salvage,
            shared.DryRun,
            shared.Access,
            shared.Tuning,
            shared.Output,
            shared.Report,
            shared.Program,
        ];

    public IReadOnlyList<string> Examples =>
        [
            "restore versions /mnt/backup",
            "restore find /mnt/backup 'thesis*'",
            "restore /mnt/backup --restore-path=/tmp/out --dry-run",
            "restore /mnt/backup /home/ann/photos --restore-path=/tmp/out",
            "restore s3://bucket/folder '*/photos/*' --version=2 --restore-path=/tmp/out",
        ];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context) => RestoreOperation.RunAsync(context);
}

internal sealed record DrillRequest(bool AllVersions, DateTimeOffset? Since, DrillSample? Sample);
