using System.Diagnostics;

namespace Restore.Cli.Commands;

/// <summary>A restore or a drill: makes a plan and executes it, unless it is a dry run.</summary>
internal static class RestoreOperation
{
    public static Task<int> RunAsync(CommandContext context, DrillRequest? drill = null) =>
        ReportedRun.RunAsync(context, (files, notification) => RunAsync(context, drill, files, notification));

    private static Task<int> RunAsync(
        CommandContext context,
        DrillRequest? drill,
        RunFiles files,
        Notification notification
    ) =>
        context.WithBackupAsync(async backup =>
        {
            TargetPlace.Check(context.Request, backup.Location);
            RestorePlan plan;
            ExtraDeletion deletion;

            // The view is closed before a question is asked: a progress line would overwrite the
            // question.
            await using (var view = OpenView(context))
            {
                // Making a plan again is cheap: the first interruption ends planning immediately.
                plan = await PlanAsync(context, backup, drill, view);
                deletion = await ExtraDeletion.FindAsync(context, backup, plan);
            }

            TargetPlace.WarnOfPaths(context, plan);
            TargetPlace.WarnOfFirst(context, plan, context.Request.Restore.First);
            if (context.Request.DryRun)
            {
                PlanView shown = PlanView.Of(plan, backup, context.Request);
                return Show(
                    context,
                    shown with
                    {
                        Extra = deletion.Extra,
                        Issues = [.. shown.Issues, .. deletion.Extra?.Staying ?? []],
                        Suspicion = await PlannedVersion.SuspicionAsync(context, backup, shown),
                    }
                );
            }

            // The questions come after all that can refuse the run, and before anything is written.
            files.Check(plan);
            TargetPlace.Warn(context, plan);
            if (!TargetPlace.Confirm(context, plan) || !deletion.Confirm())
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
            Show(context, report, code);
            await notification.SendAsync(code, report);
            return code;
        });

    private static IProgressView OpenView(CommandContext context) =>
        context.Request is { Json: true, Quiet: false, DryRun: false }
            ? new JsonProgressView(context.Output, context.Environment.Clock)
            : context.OpenProgressView(context.Request.Restore.VerifyOnly);

    private static async Task<RestorePlan> PlanAsync(
        CommandContext context,
        Backup backup,
        DrillRequest? drill,
        IProgressView view
    )
    {
        var (request, stop) = (context.Request, context.Environment.StopToken);
        BackupVersion[] several =
            drill is { AllVersions: true } ? OfBackup(context, backup, backup.Versions)
            : drill?.Since is { } since
                ? OfBackup(context, backup, [.. backup.Versions.Where(version => version.Time >= since)])
            : [context.ChooseVersion(backup)];
        if (several.Length == 0)
        {
            throw new RestoreException(
                RestoreErrorCode.VersionNotFound,
                $"There is no version made since {Units.Time(drill?.Since ?? default, context.Environment.Clock)}, "
                    + $"the newest is of {Units.Time(backup.Versions[0].Time, context.Environment.Clock)}"
            );
        }

        var execution = request.Execution with { Progress = view };
        try
        {
            if (request.Run.LastGood is { } counted)
            {
                return await backup.PlanLastGoodAsync(
                    await FilterOptions.SettleAsync(context, backup, backup.Versions, request.Restore),
                    counted,
                    request.Run.WithSuspect,
                    execution,
                    stop
                );
            }

            return several.Length > 1 || drill?.Sample is not null
                ? await backup.PlanDrillAsync(several, request.Restore, drill?.Sample, execution, stop)
                : await backup.PlanAsync(
                    several[0],
                    await FilterOptions.SettleAsync(context, backup, [several[0]], request.Restore),
                    execution,
                    stop
                );
        }
        catch (RestoreException failure)
            when (failure.Code == RestoreErrorCode.NothingSelected && request.Operands is [var first, ..])
        {
            throw new CommandException(
                ExitCodes.Of(failure),
                failure.Message,
                FilterOptions.IsRelative(first)
                    ? $"A path begins at the root of the backup, or with */: '*/{first}'. A folder to restore into is --restore-path={ShellText.Quoted(first)}"
                    : Advice.For(failure.Code)
            );
        }
    }

    /// <summary>
    /// Versions that only the database has were deleted, most likely: they count if no version has
    /// a file list any more.
    /// </summary>
    private static BackupVersion[] OfBackup(
        CommandContext context,
        Backup backup,
        IReadOnlyList<BackupVersion> versions
    )
    {
        BackupVersion[] listed = [.. versions.Where(backup.HasFileList)];
        if (listed.Length > 0 && listed.Length < versions.Count && !context.Request.Quiet)
        {
            var left = Units.Count(versions.Count - listed.Length, "version");
            context.Messages.WriteLine(
                $"Warning: {left} that only the database has: left out; --version=N takes one of them"
            );
        }

        return listed.Length > 0 ? listed : [.. versions];
    }

    private static async Task<RestoreReport> ExecuteAsync(
        CommandContext context,
        Backup backup,
        RestorePlan plan,
        IProgressView view,
        RunHistory history
    )
    {
        var (stop, cancel) = (context.Environment.StopToken, context.Environment.CancellationToken);
        await using var stopping = stop.Register(() =>
            context.Messages.WriteLine(
                "Interrupted: what is in memory is written, what is on its way is dropped. Another one stops immediately"
            )
        );
        await using var cancelling = cancel.Register(() => context.Messages.WriteLine("Stopping immediately"));
        try
        {
            var entries = context.Request.Verbose ? view as IProgress<EntryResult> : null;
            var execution = context.Request.Execution with { Progress = history, Entries = entries, StopToken = stop };
            return await backup.ExecuteAsync(plan, execution, cancel);
        }
        catch (OperationCanceledException)
        {
            context.Messages.WriteLine(
                context.Request.Restore.VerifyOnly
                    ? "Nothing was written; the same command begins again"
                    : "Finished files are kept; the same command restores the rest"
            );
            throw;
        }
        catch (RestoreException failure)
            when (failure.Code is RestoreErrorCode.TargetFull or RestoreErrorCode.TargetQuotaExceeded)
        {
            var advice =
                $"{Advice.For(failure.Code)}; it writes {Units.Bytes(plan.BytesToWrite)} in all, and what is finished is kept";
            throw new CommandException(ExitCodes.Of(failure), failure.Message, advice);
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
            PlanText.Write(
                context.Output,
                plan,
                context.Environment.Clock,
                context.ReportSize is ReportSize.Screen ? ReportSize.Screen : ReportSize.All
            );
        }

        return ExitCodes.OfLosses(plan.Issues);
    }

    /// <summary>
    /// A list of names is for a program to read, so a note about losses goes to the error stream.
    /// </summary>
    private static void NoteLosses(CommandContext context, PlanView plan)
    {
        var losses = plan.Issues.Count(issue => issue.IsLoss);
        if (losses > 0 && !context.Request.Quiet)
        {
            context.Messages.WriteLine(
                $"{Units.Count(losses, "entry is", "entries are")} known to be lost; --dry-run without --list-volumes lists them"
            );
        }
    }

    /// <summary>A quiet drill that found nothing has nothing to say: a mail of cron is a reason to look.</summary>
    private static void Show(CommandContext context, RestoreReport report, int code)
    {
        if (
            context.Request is { Quiet: true, Json: false, Execution.Profile: false }
            && report.VerifyOnly
            && code == ExitCodes.Complete
        )
        {
            return;
        }

        if (context.Request.Json)
        {
            Json.Write(context.Output, Json.SummaryOf(report));
            return;
        }

        ReportText.Write(
            context.Output,
            report,
            context.Environment.Clock,
            context.ReportSize,
            context.Request.Restore.SalvageVersions
        );
        if (context.Request.Execution.Profile)
        {
            using var process = Process.GetCurrentProcess();
            ProfileText.Write(context.Output, report, process.PeakWorkingSet64);
        }
    }
}
