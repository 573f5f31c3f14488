using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary>Duplicati's database of a backup that a command changes (<c>--dbpath</c>): looked at before, made true after.</summary>
internal static class KeptDatabase
{
    /// <exception cref="RestoreException">It cannot be kept true; nothing was changed yet.</exception>
    public static Task RequireAsync(CommandContext context, Backup backup) => context.Request.KeptDatabase is { } path
        ? backup.RequireDatabaseAsync(path, context.Environment.StopToken)
        : Task.CompletedTask;

    /// <summary>Makes it true, and reports it.</summary>
    /// <param name="context">The run.</param>
    /// <param name="open">Opens the backup as it is now.</param>
    /// <param name="exitCode">The exit code of the run so far.</param>
    /// <returns>The exit code.</returns>
    public static async Task<int> UpdateAsync(CommandContext context, Func<CancellationToken, Task<Backup>> open, int exitCode)
    {
        if (context.Request.KeptDatabase is not { } path || context.Request.DryRun)
        {
            return exitCode;
        }

        DatabaseReport? report;
        await using (var backup = await open(context.Environment.StopToken))
        await using (var view = context.OpenProgressView(verifyOnly: true))
        {
            report = await backup.UpdateDatabaseAsync(path, view, context.Environment.StopToken);
        }

        if (context.Request.Json)
        {
            Json.Write(context.Output, json =>
            {
                json.WriteStartObject("database");
                json.WriteBoolean("changed", report is not null);
                if (report is not null)
                {
                    DatabaseText.Write(json, report);
                }

                json.WriteEndObject();
            });
        }
        else if (report is null)
        {
            context.Output.WriteLine($"The database tells the backup as it is: {SafeText.Escape(path)}");
        }
        else
        {
            DatabaseText.Write(context.Output, report, context.Request.Verbose);
        }

        return exitCode == ExitCodes.Complete && report is not null ? ExitCodes.OfLosses(report.Issues) : exitCode;
    }
}
