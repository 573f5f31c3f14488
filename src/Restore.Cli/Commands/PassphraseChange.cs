namespace Restore.Cli.Commands;

/// <summary>Another passphrase for a backup, as an option of the command <c>repair</c>.</summary>
internal sealed class PassphraseChange(SharedOptions shared)
{
    private readonly Option<string?> text = Declare
        .TextOrNone(
            "--new-passphrase",
            "TEXT",
            "none",
            "Instead of making index volumes: encrypt each volume again with this passphrase, after a question. "
                + "Others can see it in the list of processes"
        )
        .RefusedBy(command => Refusal("--new-passphrase", command));

    private readonly Option<string?> file = Declare
        .Text(
            "--new-passphrase-file",
            "FILE",
            null,
            "Read the new passphrase from a file, without the one line break at its end; - is the standard input"
        )
        .RefusedBy(command => Refusal("--new-passphrase-file", command));

    public IReadOnlyList<Option> Options => [text, file];

    /// <summary>The new passphrase; null if none was given.</summary>
    public string? Given(CommandContext context)
    {
        var given = context.Line.Value(text);
        var name = context.Line.Value(file);
        if (given is not null && name is not null)
        {
            throw new UsageException("--new-passphrase and --new-passphrase-file are both given: leave one out");
        }

        var passphrase = name is null
            ? given
            : PassphraseSource.Read("--new-passphrase-file", name, context.Environment);
        context.Secrets.Add(passphrase);
        return passphrase is "" ? throw new UsageException("The new passphrase is empty") : passphrase;
    }

    public Task<int> RunAsync(CommandContext context, string passphrase)
    {
        var former = context.Request.Backup.FormerPassphrases;

        // An interrupted change leaves volumes with both passphrases. The new one opens the
        // replaced volumes, as if it was a former one.
        context = With(context, backup => backup with { FormerPassphrases = [passphrase, .. former] });
        return context.WithOpenerAsync(async open =>
        {
            int exitCode;
            int left;
            await using (var backup = await open(context.Environment.StopToken))
            {
                LocalDatabase.RequireWritable(context);
                await LocalDatabase.CheckAsync(context, backup);
                (exitCode, left) = await ChangeAsync(context, backup, passphrase);
            }

            // The database has a mark of the passphrase. Volumes that were left still need the
            // former one.
            var changed = With(context, backup => backup with { Passphrase = passphrase, FormerPassphrases = former });
            return exitCode == ExitCodes.Interrupted ? exitCode
                : left > 0 ? await LocalDatabase.UpdateAsync(context, open, exitCode)
                : await changed.WithOpenerAsync(openChanged =>
                    LocalDatabase.UpdateAsync(changed, openChanged, exitCode)
                );
        });
    }

    private static string? Refusal(string option, ICliCommand command) =>
        command.Name is "backup" or "delete" or "compact"
            ? $"{option} cannot be used {DuplicatiOptions.PurposeOf(command.Name)}: 'restore repair --new-passphrase' changes the passphrase"
            : null;

    private static CommandContext With(CommandContext context, Func<BackupOptions, BackupOptions> change) =>
        context with
        {
            Request = context.Request with { Backup = change(context.Request.Backup) },
        };

    /// <returns>The exit code, and how many volumes do not have the new passphrase.</returns>
    private async Task<(int ExitCode, int Left)> ChangeAsync(CommandContext context, Backup backup, string passphrase)
    {
        var maintenance = shared.MaintenanceOf(backup, context.Line);
        var stop = context.Environment.StopToken;
        var plan = await context.ShowAsync(view =>
            maintenance.ChangePassphraseAsync(passphrase, isDryRun: true, view, stop)
        );
        var what = $"{Units.Count(plan.ToChange, "volume")} ({Units.Bytes(plan.BytesToChange)})";
        PassphraseChangeReport? made = null;
        var exitCode = await new PlannedChange<PassphraseChangeReport>
        {
            Summary = $"{what} of {backup.Location} would be encrypted again with the new passphrase",
            Question = $"Encrypt {what} again with the new passphrase?",
            IsNeeded = plan.ToChange > 0,
            Lines =
            [
                plan.ToChange > 0 ? $"{what} to encrypt again" : "Every volume has the new passphrase",
                .. plan.ChangedBefore > 0 && plan.ToChange > 0 ? new[] { ChangedBefore(plan) } : [],
            ],
            ExecuteAsync = async () =>
                made = await context.ShowAsync(view =>
                    maintenance.ChangePassphraseAsync(passphrase, isDryRun: false, view, stop)
                ),
            JsonOf = report => JsonOf(report ?? plan, isDryRun: report is null && plan.ToChange > 0),
            Write = Write,
            IssuesOf = report => report?.Issues ?? plan.Issues,
        }.RunAsync(context);
        return (exitCode, made?.Left.Count ?? plan.ToChange);
    }

    private static string ChangedBefore(PassphraseChangeReport plan) =>
        $"{Units.Count(plan.ChangedBefore, "volume has", "volumes have")} the new passphrase already";

    private static void Write(TextWriter output, PassphraseChangeReport report)
    {
        output.WriteLine(
            $"Changed the passphrase in {Units.Duration(report.Elapsed)}: "
                + Units.Count(report.Changed, "volume was replaced", "volumes were replaced")
        );
        output.WriteLine($"  Fetched   {Units.Bytes(report.BytesFetched)}");
        output.WriteLine($"  Written   {Units.Bytes(report.BytesWritten)}");
        output.WriteLine(
            report.Left.Count > 0
                ? $"  Left      {Units.Count(report.Left.Count, "volume keeps", "volumes keep")} the former passphrase: "
                    + "keep both passphrases, and give the former one with --former-passphrase"
                : "  Keep the new passphrase safe: no volume opens with the former one. "
                    + "Give it to Duplicati and to each job of this backup"
        );
    }

    private static JsonObject JsonOf(PassphraseChangeReport report, bool isDryRun) =>
        Json.Outcome(ExitCodes.OfLosses(report.Issues))
            .With(
                new()
                {
                    ["dryRun"] = isDryRun,
                    ["toChange"] = report.ToChange,
                    ["bytesToChange"] = report.BytesToChange,
                    ["changed"] = report.Changed,
                    ["changedBefore"] = report.ChangedBefore,
                    ["left"] = Json.Strings(report.Left),
                    ["bytesFetched"] = report.BytesFetched,
                    ["bytesWritten"] = report.BytesWritten,
                    ["issues"] = Json.Issues(report.Issues),
                }
            );
}
