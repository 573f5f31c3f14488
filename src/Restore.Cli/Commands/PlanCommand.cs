using Restore.Cli.Interop;
using Restore.Cli.Options;
using Restore.Cli.Options.Groups;
using Restore.Cli.Rendering;
using Restore.Cli.Shards;

namespace Restore.Cli.Commands;

/// <summary><c>restore plan</c>: a plan as a file, for several machines.</summary>
internal sealed class PlanCommand(SharedOptions shared) : ICliCommand
{
    private readonly PlanFileOptions file = new(shared.Shards);

    public string Name => "plan";

    public string Summary => "save a plan, to restore it on several machines";

    public IReadOnlyList<Operand> Operands => [Operand.Storage, Operand.Filters];

    public IReadOnlyList<OptionGroup> Options =>
    [
        file, shared.Version, shared.Filters, shared.Metadata, shared.TargetFolder, shared.Target, shared.Salvage,
        shared.Access, shared.Tuning, shared.Output, shared.Program,
    ];

    public IReadOnlyList<string> Examples =>
        ["restore plan /mnt/backup --restore-path=/mnt/shared/out --save=/mnt/shared/job.rplan --shards=8", "restore plan --show /mnt/shared/job.rplan"];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context) => file.Shows(context.Line) ? ShowAsync(context) : SaveAsync(context);

    private static Task<int> ShowAsync(CommandContext context)
    {
        var restore = ShardedRestore.Load(context.Request.Storage);
        var shards = restore.Plan.Shards is null ? [] : restore.Look();
        if (context.Request.Json)
        {
            Json.Write(context.Output, json => ShardText.Write(json, restore.Plan, shards));
        }
        else
        {
            ShardText.Write(context.Output, restore.Plan, shards, context.Environment.Clock);
        }

        return Task.FromResult(ExitCodes.OfLosses(restore.Plan.Issues));
    }

    private async Task<int> SaveAsync(CommandContext context)
    {
        var path = file.FileOf(context.Line);
        if (context.Request.Delete)
        {
            throw new UsageException(
                "--delete cannot be used with a plan: when it is restored, 'restore' with --overwrite and --delete removes what the backup does not have");
        }

        if (context.Request.Restore.Legacy)
        {
            throw new UsageException("--restore-legacy cannot be used with a plan: the legacy flow cannot write a file in several parts");
        }

        return await context.WithBackupAsync(async backup =>
        {
            RestorePlan plan;
            await using (var view = context.OpenProgressView(verifyOnly: false))
            {
                plan = await backup.PlanAsync(context.ChooseVersion(backup), Absolute(context.Request.Restore), view, context.Environment.StopToken);
            }

            if (plan.Covers(path))
            {
                throw new UsageException($"--save: {path} is where entries are restored to; give a file elsewhere");
            }

            plan = file.CountOf(context.Line) is { } count ? plan.InShards(count) : plan;
            Save(plan, path);
            if (context.Request.Json)
            {
                Json.Write(context.Output, json => ShardText.Write(json, plan, []));
            }
            else
            {
                ShardText.Write(context.Output, plan, [], context.Environment.Clock);
            }

            return ExitCodes.OfLosses(plan.Issues);
        });
    }

    /// <summary>Other machines have other current folders.</summary>
    private static RestoreOptions Absolute(RestoreOptions options) =>
        options.Target is null ? options : options with { Target = Path.GetFullPath(options.Target) };

    private static void Save(RestorePlan plan, string path)
    {
        try
        {
            using AtomicFile file = new(path);
            plan.Save(file.Stream);
            file.Commit();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new RestoreException(RestoreErrorCode.OutputNotWritable, $"The plan cannot be written ({failure.Message})", path, failure);
        }
    }
}
