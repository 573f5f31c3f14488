namespace Restore.Cli.Commands;

internal sealed class CompactCommand(SharedOptions shared) : ICliCommand
{
    private readonly Option<int?> threshold = Declare.Count(
        "--threshold",
        0,
        100,
        "25",
        "Rewrite volumes of which this share, in percent, is needed by no version, if the backup has as much waste in all"
    );

    private readonly Option<long?> smallFileSize = Declare.Size(
        "--small-file-size",
        "mb",
        "0",
        "1gb",
        "a fifth of --dblock-size",
        "A volume of at most this size is small"
    );

    private readonly Option<int?> smallFileMaxCount = Declare.Count(
        "--small-file-max-count",
        0,
        int.MaxValue,
        "20",
        "Rewrite small volumes if there are more of them, or if together they are longer than a volume"
    );

    public string Name => "compact";

    public bool RunsLong => true;

    public string Summary => "win back the space of what no version needs";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options =>
        [
            new("Keeping", [threshold, smallFileSize, smallFileMaxCount, shared.VolumeSize]) { IsFromJob = true },
            shared.Access,
            shared.Change,
            shared.Scripts.Group,
            shared.Output,
            shared.NightlyReport,
            shared.Program,
        ];

    public IReadOnlyList<string> Examples =>
        ["restore compact /mnt/backup --dry-run", "restore compact s3://bucket/folder --threshold=40 --yes"];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context) =>
        UnattendedRun.RunAsync(
            context,
            context.Request.Storage,
            unattended => RunAsync(unattended, OptionsOf(unattended.Line))
        );

    private Task<int> RunAsync(CommandContext context, CompactOptions options) =>
        OperationScripts.RunAsync(
            context,
            shared.Scripts,
            context.Request.Storage,
            [],
            () =>
                LocalDatabase.KeepAsync(
                    context,
                    async backup =>
                    {
                        var plan = await context.ShowAsync(view =>
                            backup.Maintenance.PlanCompactAsync(options, view, context.Environment.StopToken)
                        );
                        return await new PlannedChange<CompactReport>
                        {
                            Summary =
                                $"{Units.Count(plan.Dead.Count + plan.Rewritten.Count, "block volume")} would be deleted from {backup.Location}, "
                                + $"after {Units.Bytes(plan.BytesToWrite)} of new ones",
                            Question = "Compact?",
                            IsNeeded = plan.IsNeeded,
                            Lines = CompactText.Lines(plan, context.Request.Verbose),
                            ExecuteAsync = () =>
                                context.ShowAsync(view =>
                                    shared
                                        .MaintenanceOf(backup, context.Line)
                                        .CompactAsync(plan, view, context.Environment.StopToken)
                                ),
                            JsonOf = report => CompactText.JsonOf(plan, report),
                            Write = CompactText.Write,
                            IssuesOf = report => report?.Issues ?? plan.Issues,
                        }.RunAsync(context);
                    }
                )
        );

    private CompactOptions OptionsOf(CommandLine line)
    {
        CompactOptions usual = new();
        return usual with
        {
            ThresholdPercent = line.Value(threshold) ?? usual.ThresholdPercent,
            SmallFileSizeBytes = line.Value(smallFileSize),
            SmallFileMaxCount = line.Value(smallFileMaxCount) ?? usual.SmallFileMaxCount,
            VolumeSizeBytes = (int?)line.Value(shared.VolumeSize),
        };
    }
}
