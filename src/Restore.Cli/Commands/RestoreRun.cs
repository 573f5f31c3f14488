using System.Diagnostics;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary>A restore or a drill: makes a plan and executes it, unless it is a dry run.</summary>
internal static class RestoreRun
{
    public static async Task<int> RunAsync(CommandContext context)
    {
        var files = new RunFiles(context);
        var notification = new Notification(context);
        files.Check();
        notification.Check();
        try
        {
            return await RunAsync(context, files, notification);
        }
        catch (Exception exception)
        {
            files.Write(exception);
            await notification.SendAsync(Failure.Of(exception, context.Environment.IsInterrupted));
            throw;
        }
    }

    private static Task<int> RunAsync(CommandContext context, RunFiles files, Notification notification) => context.WithBackupAsync(async backup =>
    {
        RestorePlan plan;
        Deletion deletion;
        await using (var view = OpenView(context))
        {
            // Making a plan again is cheap: the first interruption ends planning at once.
            plan = await PlanAsync(context, backup, view);
            deletion = await Deletion.FindAsync(context, backup, plan);
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
            Json.Write(context.Output, json => JsonProgress.Summary(json, report));
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
