namespace Restore.Cli.Commands;

internal sealed class JobsCommand(SharedOptions shared, IReadOnlyList<ICliCommand> commands) : ICliCommand
{
    private static readonly Option<bool> AsCommands = Declare.Flag(
        "--commands",
        "Print the command lines that do what each job does: backup, delete, compact; a passphrase is a file to name"
    );

    public string Name => "jobs";

    public string Summary => "list the jobs of Duplicati: their backups and databases";

    public IReadOnlyList<Operand> Operands =>
        [new Operand("[<folder-or-file>]", "rescued disk, folder, database or exported job; else this machine")];

    public IReadOnlyList<OptionGroup> Options =>
        [shared.Job.Keys, new("List", [AsCommands]), shared.Output, shared.Program];

    public IReadOnlyList<string> Examples =>
        [
            "restore jobs /mnt/old-disk",
            "restore jobs /mnt/photos.json --commands",
            "restore versions --job=Photos --server-datafolder=/mnt/old-disk",
        ];

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
            return !JobOptions.IsDatabase(file)
                && !Path.GetExtension(file).Equals(".sqlite", StringComparison.OrdinalIgnoreCase);
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
                context.Output.WriteWhole(SafeText.Escape(line));
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
