using Restore.Interop;

namespace Restore.Cli.Commands;

/// <summary>The files that a run leaves for others, also when it fails: the report, and the metrics of a drill.</summary>
internal sealed class RunFiles(CommandContext context)
{
    private readonly HostRequest request = context.Request;

    public void Check()
    {
        ExtraDeletion.Check(request);
        foreach (var (option, file) in new[] { ("--report", request.Run.ReportFile), ("--metrics", request.Run.MetricsFile) })
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

        // Known without a plan: a run that fails before its plan is made must not write there either.
        if (request is { Run.ReportFile: { } report, Restore.Target: { } target } && FolderPath.IsInside(report, target))
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
        var isWritten = Write(request.Run.ReportFile, file => ReportFile.Write(file, request.Run.ReportFile!, report, context.Environment.Clock, history));
        isWritten &= Write(request.Run.MetricsFile, file => MetricsText.Write(file, Label, code, report, context.Environment.Clock));
        return isWritten || code != ExitCodes.Complete ? code : ExitCodes.Failed;
    }

    /// <summary>Only a restore and a drill have a page.</summary>
    public void RefusePage()
    {
        if (Path.GetExtension(request.Run.ReportFile ?? "").ToLowerInvariant() is ".html" or ".htm")
        {
            throw new UsageException(
                $"--report: {request.Run.ReportFile}: only a restore and a drill have a page; give a name with .json, or another end for text");
        }
    }

    /// <summary>Writes what a change of the backup has said.</summary>
    public int Write(RunOutcome outcome, int code)
    {
        var time = context.Environment.Clock.GetUtcNow();
        var isWritten = Write(request.Run.ReportFile, file =>
        {
            if (Path.GetExtension(request.Run.ReportFile)!.Equals(".json", StringComparison.OrdinalIgnoreCase))
            {
                Json.Write(file, ReportJson.Written(time).With(Json.Outcome(code)).With(Fields(outcome.Json)));
                return;
            }

            file.WriteLine($"Report of {Units.Time(time, context.Environment.Clock)}");
            file.Write(outcome.Text);
        });
        isWritten &= Write(request.Run.MetricsFile, file => OutcomeMetrics.Write(
            file, context.Line.Command.Name, Label, code, outcome.Json, context.Environment.Clock));
        return isWritten || code != ExitCodes.Complete ? code : ExitCodes.Failed;
    }

    /// <summary>A copy, since a field belongs to one object, and the metrics need the fields too.</summary>
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
        if (failure.ExitCode != ExitCodes.Usage)
        {
            failure = failure with { Message = context.Secrets.Scrub(failure.Message) };
            Write(request.Run.ReportFile, file => ReportFile.Write(file, request.Run.ReportFile!, failure, context.Environment.Clock));
            Write(request.Run.MetricsFile, file =>
            {
                if (context.Outcome is null)
                {
                    MetricsText.Write(file, Label, failure.ExitCode, null, context.Environment.Clock);
                }
                else
                {
                    OutcomeMetrics.Write(file, context.Line.Command.Name, Label, failure.ExitCode, null, context.Environment.Clock);
                }
            });
        }
    }

    /// <summary>The backup as it was named, which is known even if it cannot be opened; without secrets.</summary>
    private string Label => context.Secrets.Scrub(request.Storage);

    private static UsageException AmongEntries(string report) => new($"--report: {report} is where entries are restored to; give a file elsewhere");

    /// <summary>The report shows what is in the backup; the metrics are for another program.</summary>
    private bool Write(string? path, Action<TextWriter> write)
    {
        try
        {
            if (path is not null)
            {
                OutputFile.Write(path, write, isPrivate: path == request.Run.ReportFile);
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

/// <summary>A program that is started after a run, with the result in its environment. It gets no argument, no input and no other variables
/// than those that every program needs, so that no secret reaches it.</summary>
internal sealed class Notification(CommandContext context)
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(1);

    private static readonly string[] Passed =
    [
        "PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TEMP", "TMP", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR",
        "DBUS_SESSION_BUS_ADDRESS", "SYSTEMROOT", "WINDIR", "USERPROFILE",
    ];

    private readonly string? program = context.Request.Run.NotifyCommand;

    public void Check()
    {
        if (program is not null && Find(program) is null)
        {
            throw new UsageException($"--notify-command: there is no program {program}; give its path, without arguments");
        }
    }

    public Task SendAsync(int exitCode, RestoreReport report)
    {
        var lost = report.Issues.Count(issue => issue.IsLoss);
        var name = report.VerifyOnly ? "Verified" : "Restored";
        var status = exitCode == ExitCodes.Complete ? "complete" : "incomplete";
        var summary = $"{name} {Units.Count(report.FilesRestored, "file")}, {Units.Bytes(report.BytesRestored)}"
            + (lost == 0 ? "" : $"; {Units.Count(lost, "entry is", "entries are")} damaged, missing or refused");
        return SendAsync(status, exitCode, summary, new()
        {
            ["RESTORE_FILES"] = Text(report.FilesRestored),
            ["RESTORE_BYTES"] = Text(report.BytesRestored),
            ["RESTORE_LOST"] = Text(lost),
            ["RESTORE_SECONDS"] = Text((long)report.Elapsed.TotalSeconds),
        });
    }

    public Task SendAsync(int exitCode, RunOutcome outcome) => SendAsync(
        exitCode == ExitCodes.Complete ? "complete" : "incomplete", exitCode, outcome.Summary ?? $"Ended with exit code {Text(exitCode)}", []);

    public Task SendAsync(Failure failure) =>
        failure.ExitCode == ExitCodes.Usage ? Task.CompletedTask : SendAsync("failed", failure.ExitCode, string.Join("; ", failure.Lines), []);

    private async Task SendAsync(string status, int exitCode, string summary, Dictionary<string, string> variables)
    {
        if (program is null || context.Request.DryRun || Find(program) is not { } path)
        {
            return;
        }

        variables["RESTORE_STATUS"] = status;
        variables["RESTORE_EXIT_CODE"] = Text(exitCode);
        variables["RESTORE_SUMMARY"] = Clean(summary);
        variables["RESTORE_BACKUP"] = Clean(Directory.Exists(context.Request.Storage) ? Path.GetFullPath(context.Request.Storage) : context.Request.Storage);
        variables["RESTORE_TARGET"] = context.Request.Restore.Target is { } target ? Clean(Path.GetFullPath(target)) : "";
        variables["RESTORE_REPORT"] = context.Request.Run.ReportFile is { } report ? Path.GetFullPath(report) : "";
        if (await RunAsync(path, variables) is { } problem)
        {
            context.Messages.WriteLine($"--notify-command: {program} {problem}");
        }
    }

    /// <returns>What went wrong; null if nothing did.</returns>
    private async Task<string?> RunAsync(string path, Dictionary<string, string> variables)
    {
        foreach (var name in Passed)
        {
            if (context.Environment.Variable(name) is { } value)
            {
                variables[name] = value;
            }
        }

        try
        {
            using var limit = new CancellationTokenSource(Limit, context.Environment.Clock);
            await using var process = new ChildProcess(SystemPrograms.StartInfo(path, [], variables));
            return await EndAsync(process, limit.Token);
        }
        catch (Exception failure) when (failure is RestoreException or IOException)
        {
            return $"cannot be started ({(failure.InnerException ?? failure).Message})";
        }
    }

    private static async Task<string?> EndAsync(ChildProcess process, CancellationToken limit)
    {
        process.Input.Close();
        try
        {
            // What the command leaves running may keep its output open.
            var reading = process.Output.BaseStream.CopyToAsync(Stream.Null, limit);
            var exitCode = await process.ExitCodeAsync(limit);
            await process.IsDrainedAsync(reading);
            return exitCode == 0 ? null : $"ended with exit code {exitCode}";
        }
        catch (OperationCanceledException)
        {
            process.Kill();
            return "did not end within a minute, and was ended";
        }
    }

    private string? Find(string name) => SystemPrograms.Find(name, context.Environment.Variable("PATH") ?? "");

    private string Clean(string text) => SafeText.Escape(context.Secrets.Scrub(text));

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}
