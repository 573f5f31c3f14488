using Restore.Cli.Options;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore jobs</c>: the jobs of Duplicati.</summary>
internal sealed class JobsCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "jobs";

    public string Summary => "list the jobs of Duplicati: their backups and databases";

    public IReadOnlyList<Operand> Operands =>
    [
        new Operand("[<folder-or-file>]", "rescued disk, folder, database or exported job; else this machine"),
    ];

    public IReadOnlyList<OptionGroup> Options => [shared.Access.Job.Keys, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples => ["restore jobs /mnt/old-disk", "restore versions --job=Photos --server-datafolder=/mnt/old-disk"];

    public async Task<int> RunAsync(CommandContext context)
    {
        if (context.Request.Operands.Count > 1)
        {
            throw new UsageException("Name one folder or file, or none");
        }

        var place = context.Request.Operands is [var given] ? given : null;
        if (place is not null && File.Exists(place) && IsExport(place))
        {
            Write(context, await JobSource.OfExportAsync(place, shared.Access.Job.Keys, context.Line));
            return ExitCodes.Complete;
        }

        var databases = JobSource.Databases(place, context.Environment);
        var unreadable = 0;
        foreach (var database in databases)
        {
            try
            {
                foreach (var job in await JobSource.ReadServerAsync(database, shared.Access.Job.Keys, context.Line))
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
            return !JobSource.IsDatabase(file) && !Path.GetExtension(file).Equals(".sqlite", StringComparison.OrdinalIgnoreCase);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // Reading it as an export fails with the reason.
            return true;
        }
    }

    private static void Write(CommandContext context, DuplicatiJob job)
    {
        if (context.Request.Json)
        {
            Json.Write(context.Output, json => JobText.Write(json, job));
            return;
        }

        foreach (var line in JobText.Lines(job))
        {
            context.Output.WriteLine(SafeText.Escape(line));
        }
    }
}
