using System.Diagnostics;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary>A restore or a drill: makes a plan and executes it, unless it is a dry run.</summary>
internal static class RestoreRun
{
    public static async Task<int> RunAsync(CommandContext context)
    {
        var files = new RunFiles(context);
        files.Check();
        try
        {
            return await RunAsync(context, files);
        }
        catch (Exception exception)
        {
            files.Write(exception);
            throw;
        }
    }

    private static Task<int> RunAsync(CommandContext context, RunFiles files) => context.WithBackupAsync(async backup =>
    {
        RestorePlan plan;
        RestoreReport report;
        await using (var view = context.OpenProgressView(context.Request.Restore.VerifyOnly))
        {
            // Making a plan again is cheap: the first interruption ends planning at once.
            plan = await PlanAsync(context, backup, view);
            if (context.Request.DryRun)
            {
                await view.DisposeAsync();
                return Show(context, PlanView.Of(plan, backup, context.Request));
            }

            files.Check(plan);
            report = await ExecuteAsync(context, backup, plan, view);
        }

        var code = files.Write(report);
        Show(context, report);
        return code;
    });

    private static Task<RestorePlan> PlanAsync(CommandContext context, Backup backup, IProgressView view)
    {
        var (request, stop) = (context.Request, context.Environment.StopToken);
        BackupVersion[] several = request.AllVersions ? [.. backup.Versions]
            : request.Since is { } since ? [.. backup.Versions.Where(version => version.Time >= since)]
            : [context.ChooseVersion(backup)];
        if (several.Length == 0)
        {
            throw new RestoreException(
                RestoreErrorCode.VersionNotFound,
                $"There is no version made since {Units.Time(request.Since ?? default, context.Environment.Clock)}, "
                + $"the newest is of {Units.Time(backup.Versions[0].Time, context.Environment.Clock)}");
        }

        return several.Length > 1 || request.Sample is not null
            ? backup.PlanDrillAsync(several, request.Restore, request.Sample, view, stop)
            : backup.PlanAsync(several[0], request.Restore, view, stop);
    }

    private static async Task<RestoreReport> ExecuteAsync(CommandContext context, Backup backup, RestorePlan plan, IProgressView view)
    {
        var (stop, cancel) = (context.Environment.StopToken, context.Environment.CancellationToken);
        await using var stopping = stop.Register(() => context.Messages.WriteLine("Interrupted: unfinished files are completed. Another one stops at once"));
        await using var cancelling = cancel.Register(() => context.Messages.WriteLine("Stopping at once"));
        try
        {
            return await backup.ExecuteAsync(plan, new ExecuteOptions { Progress = view, StopToken = stop }, cancel);
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
            Json.Write(context.Output, json => Json.Plan(json, plan));
        }
        else if (context.Request.ListVolumes)
        {
            PlanText.WriteVolumes(context.Output, plan);
            NoteLosses(context, plan);
        }
        else
        {
            PlanText.Write(context.Output, plan, context.Environment.Clock);
        }

        return plan.Issues.Any(ExitCodes.IsLoss) ? ExitCodes.Incomplete : ExitCodes.Complete;
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
            Json.Write(context.Output, json => Json.Report(json, report));
            return;
        }

        ReportText.Write(context.Output, report, context.Environment.Clock, context.Request.Verbose);
        if (context.Request.InternalProfiling)
        {
            using var process = Process.GetCurrentProcess();
            ProfileText.Write(context.Output, report, process.PeakWorkingSet64);
        }
    }
}
