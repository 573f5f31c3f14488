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
            plan = await backup.PlanAsync(context.ChooseVersion(backup), context.Request.Restore, view, context.Environment.StopToken);
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
