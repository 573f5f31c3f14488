using System.Diagnostics;
using Restore.Cli.Options;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore</c> without the name of a command: restores files.</summary>
internal sealed class RestoreCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "restore";

    public string Summary => "restore files";

    public IReadOnlyList<Operand> Operands => [Operand.Storage, Operand.Filters];

    public IReadOnlyList<OptionGroup> Options =>
    [
        shared.Version, shared.Filters, shared.Metadata, shared.TargetFolder, shared.Target, shared.Salvage, shared.DryRun,
        shared.Access, shared.Tuning, shared.Output, shared.Report, shared.Program,
    ];

    public IReadOnlyList<string> Examples =>
    [
        "restore /mnt/backup --restore-path=/tmp/out",
        "restore /mnt/backup --restore-path=/tmp/out --dry-run",
        "restore /mnt/backup '*/Documents/*' --version=2 --target /tmp/out",
    ];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context) => RestoreOperation.RunAsync(context);
}

/// <summary>A restore or a drill: makes a plan and executes it, unless it is a dry run.</summary>
internal static class RestoreOperation
{
    /// <param name="context">The run.</param>
    /// <param name="drill">Which versions and how much of them; null for the requested version.</param>
    public static async Task<int> RunAsync(CommandContext context, DrillRequest? drill = null)
    {
        var files = new RunFiles(context);
        var notification = new Notification(context);
        files.Check();
        notification.Check();
        try
        {
            return await RunAsync(context, drill, files, notification);
        }
        catch (Exception exception)
        {
            files.Write(exception);
            await notification.SendAsync(Failure.Of(exception, context.Environment.IsInterrupted));
            throw;
        }
    }

    private static Task<int> RunAsync(
        CommandContext context, DrillRequest? drill, RunFiles files, Notification notification) => context.WithBackupAsync(async backup =>
    {
        RestorePlan plan;
        ExtraDeletion deletion;
        await using (var view = OpenView(context))
        {
            // Making a plan again is cheap: the first interruption ends planning immediately.
            plan = await PlanAsync(context, backup, drill, view);
            deletion = await ExtraDeletion.FindAsync(context, backup, plan);
        }

        if (context.Request.DryRun)
        {
            return Show(context, PlanView.Of(plan, backup, context.Request) with { Extra = deletion.Extra });
        }

        files.Check(plan);
        if (!deletion.Confirm())
        {
            return ExitCodes.Interrupted;
        }

        RestoreReport report;
        RunHistory history;
        await using (var view = OpenView(context))
        {
            history = new RunHistory(view);
            report = await ExecuteAsync(context, backup, plan, view, history);
        }

        report = await deletion.RunAsync(report);
        var code = files.Write(report, history);
        Show(context, report);
        await notification.SendAsync(code, report);
        return code;
    });

    private static IProgressView OpenView(CommandContext context) => context.Request is { Json: true, Quiet: false, DryRun: false }
        ? new JsonProgressView(context.Output, context.Environment.Clock)
        : context.OpenProgressView(context.Request.Restore.VerifyOnly);

    private static Task<RestorePlan> PlanAsync(CommandContext context, Backup backup, DrillRequest? drill, IProgressView view)
    {
        var (request, stop) = (context.Request, context.Environment.StopToken);
        BackupVersion[] several = drill is { AllVersions: true } ? [.. backup.Versions]
            : drill?.Since is { } since ? [.. backup.Versions.Where(version => version.Time >= since)]
            : [context.ChooseVersion(backup)];
        if (several.Length == 0)
        {
            throw new RestoreException(
                RestoreErrorCode.VersionNotFound,
                $"There is no version made since {Units.Time(drill?.Since ?? default, context.Environment.Clock)}, "
                + $"the newest is of {Units.Time(backup.Versions[0].Time, context.Environment.Clock)}");
        }

        return several.Length > 1 || drill?.Sample is not null
            ? backup.PlanDrillAsync(several, request.Restore, drill?.Sample, view, stop)
            : backup.PlanAsync(several[0], request.Restore, view, stop);
    }

    private static async Task<RestoreReport> ExecuteAsync(CommandContext context, Backup backup, RestorePlan plan, IProgressView view, RunHistory history)
    {
        var (stop, cancel) = (context.Environment.StopToken, context.Environment.CancellationToken);
        await using var stopping = stop.Register(() => context.Messages.WriteLine("Interrupted: unfinished files are completed. Another one stops at once"));
        await using var cancelling = cancel.Register(() => context.Messages.WriteLine("Stopping at once"));
        try
        {
            var entries = context.Request.Verbose ? view as IProgress<EntryResult> : null;
            return await backup.ExecuteAsync(plan, new ExecuteOptions { Progress = history, Entries = entries, StopToken = stop }, cancel);
        }
        catch (OperationCanceledException)
        {
            context.Messages.WriteLine("Finished files are kept; the same command restores the rest");
            throw;
        }
    }

    private static int Show(CommandContext context, PlanView plan)
    {
        if (context.Request.Json)
        {
            Json.Write(context.Output, Json.Of(plan));
        }
        else if (context.Request.Run.ListVolumes)
        {
            PlanText.WriteVolumes(context.Output, plan);
            NoteLosses(context, plan);
        }
        else
        {
            PlanText.Write(context.Output, plan, context.Environment.Clock);
        }

        return ExitCodes.OfLosses(plan.Issues);
    }

    /// <summary>A list of names is for a program to read, so a note about losses goes to the error stream.</summary>
    private static void NoteLosses(CommandContext context, PlanView plan)
    {
        var losses = plan.Issues.Count(ExitCodes.IsLoss);
        if (losses > 0 && !context.Request.Quiet)
        {
            context.Messages.WriteLine($"{Units.Count(losses, "entry is", "entries are")} known to be lost; --dry-run without --list-volumes lists them");
        }
    }

    private static void Show(CommandContext context, RestoreReport report)
    {
        if (context.Request.Json)
        {
            Json.Write(context.Output, Json.SummaryOf(report));
            return;
        }

        ReportText.Write(context.Output, report, context.Environment.Clock, context.Request.Verbose);
        if (context.Request.Run.Profile)
        {
            using var process = Process.GetCurrentProcess();
            ProfileText.Write(context.Output, report, process.PeakWorkingSet64);
        }
    }
}

/// <summary>What a drill covers.</summary>
/// <param name="AllVersions">All versions.</param>
/// <param name="Since">The versions made at or after a time.</param>
/// <param name="Sample">What is chosen of them; null for everything.</param>
internal sealed record DrillRequest(bool AllVersions, DateTimeOffset? Since, DrillSample? Sample);
