namespace Restore.Cli.Commands;

internal sealed class JobsCommand(SharedOptions shared, IReadOnlyList<ICliCommand> commands) : ICliCommand
{
    private static readonly Option<bool> AsCommands = Declare.Flag(
        "--commands", "Print the command lines that do what each job does: backup, delete, compact; a passphrase is a file to name");


    public string Name => "jobs";

    public string Summary => "list the jobs of Duplicati: their backups and databases";

    public IReadOnlyList<Operand> Operands =>
    [
        new Operand("[<folder-or-file>]", "rescued disk, folder, database or exported job; else this machine"),
    ];

    public IReadOnlyList<OptionGroup> Options =>
        [shared.Job.Keys, new("List", [AsCommands]), shared.Output, shared.Program];

    public IReadOnlyList<string> Examples =>
        ["restore jobs /mnt/old-disk", "restore jobs /mnt/photos.json --commands", "restore versions --job=Photos --server-datafolder=/mnt/old-disk"];

    public async Task<int> RunAsync(CommandContext context)
    {
        if (context.Request.Operands.Count > 1)
        {
            throw new UsageException("Name one folder or file, or none");
        }

        var place = context.Request.Operands is [var given] ? given : null;
        if (place is not null && File.Exists(place) && IsExport(place))
        {
            Write(context, await shared.Job.ReadExportAsync(place, context.Line));
            return ExitCodes.Complete;
        }

        var databases = JobOptions.Databases(place, context.Environment);
        var unreadable = 0;
        foreach (var database in databases)
        {
            try
            {
                foreach (var job in await shared.Job.ReadServerAsync(database, context.Line))
                {
                    unreadable += job.Problem is null ? 0 : 1;
                    Write(context, job);
                }
            }
            catch (RestoreException failure) when (failure.Kind == RestoreErrorKind.Failed && databases.Count > 1)
            {
                unreadable++;
                context.Messages.WriteLine($"A database is left out: {failure.Message}");
            }
        }

        return unreadable > 0 ? ExitCodes.Incomplete : ExitCodes.Complete;
    }

    private static bool IsExport(string file)
    {
        try
        {
            return !JobOptions.IsDatabase(file) && !Path.GetExtension(file).Equals(".sqlite", StringComparison.OrdinalIgnoreCase);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // Reading it as an export fails with the reason.
            return true;
        }
    }

    private void Write(CommandContext context, DuplicatiJob job)
    {
        if (context.Line.Value(AsCommands))
        {
            foreach (var line in new JobCommandLines(commands, context.Environment).Of(job))
            {
                context.Output.WriteLine(SafeText.Escape(line));
            }

            return;
        }

        if (context.Request.Json)
        {
            Json.Write(context.Output, JobText.JsonOf(job));
            return;
        }

        foreach (var line in JobText.Lines(job))
        {
            context.Output.WriteLine(SafeText.Escape(line));
        }
    }
}

/// <summary>A job of Duplicati, without its secrets.</summary>
internal static class JobText
{
    private const int MaxSources = 8;

    public static IEnumerable<string> Lines(DuplicatiJob job)
    {
        yield return $"{job.Name}{(job.Id.Length > 0 ? $" (number {job.Id})" : "")}";
        yield return $"    target      {(job.Location is null ? "not known" : StorageLocation.Shown(job.Location))}";
        yield return $"    passphrase  {Passphrase(job)}";
        if (job.Options.GetValueOrDefault("prefix") is { Length: > 0 } prefix)
        {
            yield return $"    prefix      {prefix}";
        }

        if (job.DatabasePath is { } database)
        {
            yield return $"    database    {database}{(File.Exists(database) ? "" : " (not there)")}";
        }

        foreach (var source in job.Sources.Take(MaxSources))
        {
            yield return $"    source      {StorageLocation.ShownSource(source)}";
        }

        if (job.Sources.Count > MaxSources)
        {
            yield return $"    source      and {Units.Count(job.Sources.Count - MaxSources, "other")}";
        }

        yield return $"    from        {job.Origin}";
        if (job.Problem is not null)
        {
            yield return $"    problem     {Problem(job)}";
        }
    }

    public static JsonObject JsonOf(DuplicatiJob job) => new()
    {
        ["id"] = job.Id,
        ["name"] = job.Name,
        ["target"] = job.Location is null ? null : StorageLocation.Shown(job.Location),
        ["hasPassphrase"] = job.Options.ContainsKey("passphrase"),
        ["encrypted"] = !IsUnencrypted(job),
        ["prefix"] = job.Options.GetValueOrDefault("prefix"),
        ["database"] = job.DatabasePath,
        ["databaseExists"] = job.DatabasePath is not null && File.Exists(job.DatabasePath),
        ["sources"] = Json.Strings(job.Sources.Select(StorageLocation.ShownSource)),
        ["filters"] = Json.Strings(job.Filters.Select(filter => (filter.Include ? "+" : "-") + filter.Expression)),
        ["from"] = job.Origin,
        ["problem"] = job.Problem is null ? null : Problem(job),
    };

    private static string Passphrase(DuplicatiJob job) =>
        job.Options.ContainsKey("passphrase") ? "in the job" : IsUnencrypted(job) ? "none, the backup is not encrypted" : "not in the job";

    private static bool IsUnencrypted(DuplicatiJob job) =>
        (job.Options.TryGetValue("no-encryption", out var off) && off is "" or "true" or "True")
        || (job.Options.TryGetValue("encryption-module", out var module) && module.Length == 0);

    private static string Problem(DuplicatiJob job) => job.Problem switch
    {
        RestoreErrorCode.SettingsKeyMissing => "settings are encrypted; --job-key-file or the variable SETTINGS_ENCRYPTION_KEY opens them",
        RestoreErrorCode.SettingsKeyWrong => "settings are encrypted with another key",
        _ => "an encrypted setting is damaged",
    };
}
