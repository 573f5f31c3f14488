using System.Text.Json;
using Restore.Interop;

namespace Restore.Cli.Commands;

/// <summary>
/// Duplicati's database of a backup that a command changes (<c>--dbpath</c>): checked before,
/// updated after.
/// </summary>
internal static class LocalDatabase
{
    /// <summary>Changes a backup, and updates the database after that.</summary>
    public static Task<int> KeepAsync(CommandContext context, Func<Backup, Task<int>> change) =>
        context.WithOpenerAsync(async open =>
        {
            await using var backup = await open(context.Environment.StopToken);
            RequireWritable(context);
            await CheckAsync(context, backup);
            var exitCode = await change(backup);
            return exitCode == ExitCodes.Interrupted ? exitCode : await UpdateAsync(context, open, exitCode);
        });

    /// <summary>Fails before anything is changed if the database cannot be updated later.</summary>
    public static Task CheckAsync(CommandContext context, Backup backup) =>
        context.Request.LocalDatabase is { } path
            ? backup.Maintenance.RequireDatabaseAsync(path, context.Environment.StopToken)
            : Task.CompletedTask;

    /// <summary>
    /// Fails if the file cannot be written, or if no file can be made beside it, because the new
    /// content needs one.
    /// </summary>
    public static void RequireWritable(CommandContext context)
    {
        if (context.Request.LocalDatabase is not { } path || context.Request.DryRun)
        {
            return;
        }

        OutputFile.Check("--dbpath", path);
        try
        {
            // A trial, which is never committed.
            using AtomicFile beside = new(path, AtomicFileOptions.Replaces | AtomicFileOptions.Private);
            if (File.Exists(path))
            {
                using FileStream database = new(
                    path,
                    FileMode.Open,
                    FileAccess.ReadWrite,
                    FileShare.ReadWrite | FileShare.Delete
                );
            }
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new RestoreException(
                RestoreErrorCode.OutputNotWritable,
                $"The database cannot be written, so nothing was changed: {failure.Message}",
                path,
                failure
            );
        }
    }

    public static async Task<int> UpdateAsync(
        CommandContext context,
        Func<CancellationToken, Task<Backup>> open,
        int exitCode
    )
    {
        if (context.Request.LocalDatabase is not { } path || context.Request.DryRun)
        {
            return exitCode;
        }

        // Opened again, because the change has replaced volumes.
        await using var backup = await open(context.Environment.StopToken);
        var report = await context.ShowAsync(view =>
            backup.Maintenance.UpdateDatabaseAsync(path, view, context.Environment.StopToken)
        );
        context.Write(
            () =>
                new()
                {
                    ["database"] = new JsonObject { ["changed"] = report is not null }.With(
                        report is null ? [] : JsonOf(report)
                    ),
                },
            output =>
            {
                if (report is null)
                {
                    output.WriteLine($"The database is up to date: {SafeText.Escape(path)}");
                }
                else
                {
                    Write(output, report, context.ReportSize);
                }
            }
        );
        return exitCode == ExitCodes.Complete && report is not null ? ExitCodes.OfLosses(report.Issues) : exitCode;
    }

    public static void Write(TextWriter output, DatabaseReport report, ReportSize size)
    {
        output.WriteLine(
            $"Made the database of {Units.Count(report.Versions, "version")}: {SafeText.Escape(report.Path)}"
        );
        output.WriteLine(
            $"  Content   {Units.Count(report.Entries, "entry", "entries")}, {Units.Count(report.Blocks, "block")}, "
                + $"{Units.Count(report.Volumes, "volume")}; {Units.Count(report.UnusedBlocks, "block")} that no entry needs"
        );
        output.WriteLine($"  Written   {Units.Bytes(report.Bytes)} in {Units.Duration(report.Elapsed)}, checked");
        output.WriteLine($"  Fetched   {Units.Bytes(report.BytesFetched)}");
        IssueText.Write(output, report.Issues, size);
    }

    public static JsonObject JsonOf(DatabaseReport report) =>
        Json.Outcome(ExitCodes.OfLosses(report.Issues))
            .With(Json.Of(report))
            .With(
                new()
                {
                    ["secondsOfPhases"] = new JsonObject(
                        report.Phases.Select(phase =>
                            KeyValuePair.Create(
                                JsonNamingPolicy.CamelCase.ConvertName($"{phase.Phase}"),
                                (JsonNode?)ReportJson.Seconds(phase.Elapsed)
                            )
                        )
                    ),
                }
            );
}
