using Restore.Interop;

namespace Restore.Cli.Commands;

/// <summary>
/// A program that is started after a run, with the result in its environment. It gets no argument,
/// no input and no other variables than those that every program needs, so that no secret reaches
/// it.
/// </summary>
internal sealed class Notification(CommandContext given)
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(1);

    private static readonly string[] Passed =
    [
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "LANG",
        "LC_ALL",
        "LC_CTYPE",
        "TZ",
        "TMPDIR",
        "TEMP",
        "TMP",
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "XDG_RUNTIME_DIR",
        "DBUS_SESSION_BUS_ADDRESS",
        "SYSTEMROOT",
        "WINDIR",
        "USERPROFILE",
    ];

    private readonly string? program = given.Request.Run.NotifyCommand;
    private CommandContext context = given;

    public void Check()
    {
        if (program is not null && Find(program) is null)
        {
            throw new UsageException(
                $"--notify-command: there is no program {program}; give its path, without arguments"
            );
        }
    }

    /// <summary>Learns the backup and the target of a run that only its plan knows.</summary>
    public void Tell(RestorePlan plan)
    {
        var request = context.Request with
        {
            Storage = plan.Location,
            Restore = context.Request.Restore with { Target = plan.Target },
        };
        context.Secrets.Add(request);
        context = context with { Request = request };
    }

    public Task SendAsync(int exitCode, RestoreReport report)
    {
        var lost = report.Issues.Count(issue => issue.IsLoss);
        var name = report.VerifyOnly ? "Verified" : "Restored";
        var status = exitCode == ExitCodes.Complete ? "complete" : "incomplete";
        var summary =
            $"{name} {Units.Count(report.FilesRestored, "file")}, {Units.Bytes(report.BytesRestored)}"
            + (lost == 0 ? "" : $"; {Units.Count(lost, "entry is", "entries are")} damaged, missing or refused");
        return SendAsync(
            status,
            exitCode,
            summary,
            new()
            {
                ["RESTORE_FILES"] = Text(report.FilesRestored),
                ["RESTORE_BYTES"] = Text(report.BytesRestored),
                ["RESTORE_LOST"] = Text(lost),
                ["RESTORE_SECONDS"] = Text((long)report.Elapsed.TotalSeconds),
            }
        );
    }

    public Task SendAsync(int exitCode, RunOutcome outcome) =>
        SendAsync(
            exitCode == ExitCodes.Complete ? "complete" : "incomplete",
            exitCode,
            outcome.Summary ?? $"Ended with exit code {Text(exitCode)}",
            []
        );

    public Task SendAsync(Failure failure) =>
        failure.ExitCode == ExitCodes.Usage && context.Outcome is null
            ? Task.CompletedTask
            : SendAsync("failed", failure.ExitCode, string.Join("; ", failure.Lines), []);

    private async Task SendAsync(string status, int exitCode, string summary, Dictionary<string, string> variables)
    {
        if (program is null || context.Request.DryRun || Find(program) is not { } path)
        {
            return;
        }

        variables["RESTORE_STATUS"] = status;
        variables["RESTORE_EXIT_CODE"] = Text(exitCode);
        variables["RESTORE_SUMMARY"] = Clean(summary);
        variables["RESTORE_BACKUP"] = Clean(
            Directory.Exists(context.Request.Storage)
                ? Path.GetFullPath(context.Request.Storage)
                : StorageLocation.Shown(context.Request.Storage)
        );
        variables["RESTORE_TARGET"] = context.Request.Restore.Target is { } target
            ? Clean(Path.GetFullPath(target))
            : "";
        variables["RESTORE_REPORT"] = context.Request.Run.ReportFile is { } report ? Path.GetFullPath(report) : "";
        if (await RunAsync(path, variables) is { } problem)
        {
            context.Messages.WriteLine($"--notify-command: {program} {problem}");
        }
    }

    /// <returns>What went wrong; null on success.</returns>
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
