namespace Restore.Cli.Commands;

/// <summary>
/// The files that a run leaves for others, also when it fails: the report, and the metrics of a
/// drill.
/// </summary>
internal sealed class RunFiles(CommandContext context)
{
    private readonly HostRequest request = context.Request;
    private IReadOnlyList<DrillRecord> earlierDrills = [];

    public void Check()
    {
        ExtraDeletion.Check(request);
        foreach (
            var (option, file) in new[]
            {
                ("--report", request.Run.ReportFile),
                ("--metrics", request.Run.MetricsFile),
                (DrillHistory.Option, request.Run.HistoryFile),
            }
        )
        {
            if (file is not null && request.DryRun)
            {
                throw new UsageException($"{option} needs a run: a dry run has no result");
            }

            if (file is not null)
            {
                OutputFile.Check(option, file);
            }
        }

        if (request.Run.HistoryFile is { } history)
        {
            earlierDrills = DrillHistory.Read(history);
        }

        // Known without a plan: a run that fails before its plan is made must not write there
        // either.
        if (
            request is { Run.ReportFile: { } report, Restore.Target: { } target }
            && FolderPath.IsInside(report, target)
        )
        {
            throw AmongEntries(report);
        }
    }

    /// <summary>Refuses files that the run could confuse with its own.</summary>
    public void Check(RestorePlan plan)
    {
        TargetPlace.CheckFiles(request, plan.Location);
        if (request.Run.ReportFile is { } report && plan.Covers(Path.GetFullPath(report)))
        {
            throw AmongEntries(report);
        }
    }

    public int Write(RestoreReport report, RunHistory? history = null)
    {
        var code = ExitCodes.Of(report);
        var isWritten = Write(
            request.Run.ReportFile,
            file => ReportFile.Write(file, request.Run.ReportFile!, report, context.Environment.Clock, history)
        );
        isWritten &= Write(
            request.Run.MetricsFile,
            file => MetricsText.Write(file, Label, code, report, context.Environment.Clock)
        );
        isWritten &= WriteDrill(DrillRecord.Of(context.Environment.Clock.GetUtcNow(), Label, code, report));

        // Others rely on these files, so a complete run without them has failed. A worse result of
        // the run itself is not hidden by that.
        return isWritten || code != ExitCodes.Complete ? code : ExitCodes.Failed;
    }

    /// <summary>Only a restore and a drill have a page.</summary>
    public void RefusePage()
    {
        if (Path.GetExtension(request.Run.ReportFile ?? "").ToLowerInvariant() is ".html" or ".htm")
        {
            throw new UsageException(
                $"--report: {request.Run.ReportFile}: only a restore and a drill have a page; give a name with .json, or another end for text"
            );
        }
    }

    /// <summary>Writes what a change of the backup has said.</summary>
    public int Write(RunOutcome outcome, int code)
    {
        var time = context.Environment.Clock.GetUtcNow();
        var isWritten = Write(
            request.Run.ReportFile,
            file =>
            {
                if (Path.GetExtension(request.Run.ReportFile)!.Equals(".json", StringComparison.OrdinalIgnoreCase))
                {
                    Json.Write(file, ReportJson.Written(time).With(Json.Outcome(code)).With(Fields(outcome.Json)));
                    return;
                }

                file.WriteLine($"Report of {Units.Time(time, context.Environment.Clock)}");
                file.Write(outcome.Text);
            }
        );
        isWritten &= Write(
            request.Run.MetricsFile,
            file =>
                OutcomeMetrics.Write(
                    file,
                    context.Line.Command.Name,
                    Label,
                    code,
                    outcome.Json,
                    context.Environment.Clock
                )
        );
        return isWritten || code != ExitCodes.Complete ? code : ExitCodes.Failed;
    }

    /// <summary>
    /// A copy, since a field belongs to one object, and the metrics need the fields too.
    /// </summary>
    private static JsonObject Fields(JsonObject? report)
    {
        var fields = (JsonObject?)report?.DeepClone() ?? [];
        fields.Remove("complete");
        fields.Remove("exitCode");
        return fields;
    }

    public void Write(Exception exception)
    {
        var failure = Failure.Of(exception, context.Environment.IsInterrupted);

        // A restore may be refused because the report is where entries go. A scheduler starts the
        // commands that keep their outcome, and nobody else sees a typing error in its options.
        if (failure.ExitCode != ExitCodes.Usage || context.Outcome is not null)
        {
            failure = failure with { Message = context.Secrets.Scrub(failure.Message) };
            Write(
                request.Run.ReportFile,
                file => ReportFile.Write(file, request.Run.ReportFile!, failure, context.Environment.Clock)
            );
            WriteDrill(
                new DrillRecord
                {
                    Time = context.Environment.Clock.GetUtcNow(),
                    Backup = Label,
                    ExitCode = failure.ExitCode,
                    Failure = failure.Message,
                }
            );
            Write(
                request.Run.MetricsFile,
                file =>
                {
                    if (context.Outcome is null)
                    {
                        MetricsText.Write(file, Label, failure.ExitCode, null, context.Environment.Clock);
                    }
                    else
                    {
                        OutcomeMetrics.Write(
                            file,
                            context.Line.Command.Name,
                            Label,
                            failure.ExitCode,
                            null,
                            context.Environment.Clock
                        );
                    }
                }
            );
        }
    }

    private bool WriteDrill(DrillRecord drill) =>
        Write(
            request.Run.HistoryFile,
            file => DrillHistory.Write(file, earlierDrills, drill, context.Environment.Clock)
        );

    /// <summary>
    /// The backup as it was named, which is known even if it cannot be opened; without secrets.
    /// </summary>
    private string Label => context.Secrets.Scrub(StorageLocation.Shown(request.Storage));

    private static UsageException AmongEntries(string report) =>
        new($"--report: {report} is where entries are restored to; give a file elsewhere");

    /// <summary>
    /// The report shows what is in the backup; the metrics are for another program.
    /// </summary>
    private bool Write(string? path, Action<TextWriter> write)
    {
        try
        {
            if (path is not null)
            {
                OutputFile.Write(path, write, isPrivate: path != request.Run.MetricsFile);
            }

            return true;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            context.Messages.WriteLine($"{path} cannot be written ({failure.Message})");
            return false;
        }
    }
}
