namespace Restore.Cli.Commands;

/// <summary>
/// What a backup takes: the sources and filters of the command line and of a job.
/// </summary>
internal static class BackupSources
{
    /// <summary>The sources that are named, or else the job's sources.</summary>
    public static IReadOnlyList<string> Of(CommandContext context, IReadOnlyList<string> named)
    {
        IReadOnlyList<string> sources =
            named.Count > 0 || context.Line.Job is not { } job
                ? named
                : [.. JobValues.SourcesOf(job, context.Environment).Distinct(StringComparer.Ordinal)];
        return sources.Count > 0
            ? sources
            : throw new UsageException(
                context.Line.Job is null
                    ? "Name what to back up, or a job with --job or --from-config"
                    : $"The job '{context.Line.Job.Name}' has no sources; name what to back up"
            );
    }

    /// <summary>The filters of the command line come before the job's filters.</summary>
    public static EntryFilter FilterOf(CommandContext context) =>
        EntryFilter.ForBackup(
            context.Line.Job is { } job
                ? [.. context.Request.Rules, .. JobValues.FiltersOf(job, context.Environment)]
                : context.Request.Rules
        );

    /// <summary>
    /// Where the backup of a job is, which is left out of the sources; a place that is no folder if
    /// it is not known.
    /// </summary>
    public static string PlaceOf(CommandContext context) =>
        context.Request.Storage is { Length: > 0 } place ? place : "file:///dev/null/none";
}
