using Restore.Cli.Shards;
using Restore.Interop;

namespace Restore.Cli.Commands;

internal sealed class PlanCommand(SharedOptions shared) : ICliCommand
{
    private readonly Option<string?> save = Declare.Text(
        "--save",
        "FILE",
        null,
        "Write the plan to this file, which must not exist yet"
    );

    private readonly Option<bool> show = Declare.Flag(
        "--show",
        "Print the plan in a file, and the state of its shards; give the file instead of a backup"
    );

    public string Name => "plan";

    public string Summary => "save a plan, to restore it on several machines";

    public IReadOnlyList<Operand> Operands => [Operand.Storage, Operand.Filters];

    public IReadOnlyList<OptionGroup> Options =>
        [
            new("Plan", [save, shared.Shards, show]),
            shared.Version,
            shared.LastGood.Group,
            shared.Filters,
            shared.Order,
            shared.Metadata,
            shared.TargetFolder,
            shared.Target,
            shared.Salvage,
            shared.Access,
            shared.Tuning,
            shared.Output,
            shared.Program,
        ];

    public IReadOnlyList<string> Examples =>
        [
            "restore plan /mnt/backup -t /mnt/out --save=/mnt/shared/job.rplan --shards=8",
            "restore plan --show /mnt/shared/job.rplan",
        ];

    public bool HasNoDryRun => true;

    public bool EndsWithReport => true;

    public bool OnlyPrints(CommandLine line) => line.Value(show);

    public Task<int> RunAsync(CommandContext context) =>
        context.Line.Value(show) ? ShowAsync(context) : SaveAsync(context);

    private static async Task<int> ShowAsync(CommandContext context)
    {
        if (context.Request.Operands.Count > 0)
        {
            throw new UsageException(
                $"'{context.Request.Operands[0]}' is one argument too many: restore plan --show takes the file of a plan alone"
            );
        }

        var restore = await ShardedRestore.LoadAsync(context.Request.Storage);
        var shards = restore.Plan.Shards is null ? [] : await restore.GetStatusAsync();
        context.Write(
            () => ShardText.JsonOf(restore.Plan, shards),
            output => ShardText.Write(output, restore.Plan, shards, context.Environment.Clock)
        );
        return ExitCodes.OfLosses(restore.Plan.Issues);
    }

    private async Task<int> SaveAsync(CommandContext context)
    {
        var path = FileOf(context.Line);
        if (context.Request.Execution.Legacy)
        {
            throw new UsageException(
                "--restore-legacy cannot be used with a plan: the legacy flow cannot write a file in several parts"
            );
        }

        return await context.WithBackupAsync(async backup =>
        {
            var request = context.Request;
            TargetPlace.Check(request, backup.Location);
            var version = context.ChooseVersion(backup);
            var settled = await FilterOptions.SettleAsync(
                context,
                backup,
                FilterOptions.VersionsOfNames(context, backup, version),
                request.Restore
            );
            var plan = await context.ShowAsync(
                view =>
                    PlanAsync(
                        backup,
                        version,
                        settled,
                        request.Run,
                        request.Execution with
                        {
                            Progress = view,
                        },
                        context.Environment.StopToken
                    ),
                verifyOnly: false
            );
            if (plan.Covers(Path.GetFullPath(path)))
            {
                throw new UsageException($"--save: {path} is where entries are restored to; give a file elsewhere");
            }

            TargetPlace.WarnOfFirst(context, plan, settled.First);
            plan = context.Line.Value(shared.Shards) is { } count ? plan.InShards(count) : plan;
            await SaveAsync(plan, path);
            context.Write(
                () => ShardText.JsonOf(plan, []),
                output => ShardText.Write(output, plan, [], context.Environment.Clock)
            );
            return ExitCodes.OfLosses(plan.Issues);
        });
    }

    private static Task<RestorePlan> PlanAsync(
        Backup backup,
        BackupVersion version,
        RestoreOptions options,
        RunRequest run,
        ExecuteOptions execution,
        CancellationToken cancellationToken
    ) =>
        run.LastGood is { } counted
            ? backup.PlanLastGoodAsync(options, counted, run.WithSuspect, execution, cancellationToken)
            : backup.PlanAsync(version, options, execution, cancellationToken);

    private static async Task SaveAsync(RestorePlan plan, string path)
    {
        try
        {
            using AtomicFile file = new(path, AtomicFileOptions.Private);
            await plan.SaveAsync(file.Stream);
            file.Commit();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new RestoreException(
                WriteFailure.CodeOfOutput(failure),
                $"The plan cannot be written ({failure.Message})",
                path,
                failure
            );
        }
    }

    private string FileOf(CommandLine line)
    {
        var file = line.Value(save) ?? throw new UsageException("--save is missing: the file to write the plan to");
        OutputFile.Check("--save", file);
        return File.Exists(file)
            ? throw new RestoreException(RestoreErrorCode.OutputExists, "The file exists already", file)
            : file;
    }
}
