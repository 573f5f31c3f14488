namespace Restore.Cli.Commands;

internal sealed class AssessCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "assess";

    public string Summary => "say which versions are good, and which to restore after an accident or an attack";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options =>
        [
            new("List", [shared.Long]),
            shared.LastGood.Choice,
            shared.DryRunAlone,
            shared.Access,
            shared.Output,
            shared.Program,
        ];

    public IReadOnlyList<string> Examples =>
        [
            "restore assess /mnt/backup",
            "restore assess s3://bucket/folder --json",
            "restore assess /mnt/backup --look-inside --dry-run",
        ];

    public Task<int> RunAsync(CommandContext context) =>
        context.WithBackupAsync(async backup =>
        {
            var found = await backup.AssessAsync(
                shared.LastGood.OptionsOf(context.Line) with
                {
                    EstimatesInsideOnly = context.Request.DryRun,
                    BeforeLookingInside = bytes =>
                        context.Messages.WriteLine(
                            $"Looking inside {(context.Request.DryRun ? "would fetch" : "fetches")} about {Units.Bytes(bytes)}"
                        ),
                },
                progress: null,
                context.Environment.StopToken
            );
            context.Write(
                () => AssessmentText.JsonOf(found),
                output =>
                    AssessmentText.Write(
                        output,
                        found,
                        StorageLocation.Shown(context.Request.Storage),
                        context.Environment.Clock,
                        context.Line.Value(shared.Long)
                    )
            );
            return ExitCodes.Complete;
        });
}
