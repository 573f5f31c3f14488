namespace Restore.Web.Restoring;

/// <summary>What a restore takes from one version, and where it puts it.</summary>
/// <param name="Version">The version.</param>
/// <param name="Options">What of it, and where to.</param>
internal sealed record RestorePart(BackupVersion Version, RestoreOptions Options)
{
    private const int MaxIssues = 50;

    /// <summary>
    /// Divides a request by versions. Entries of several versions may have the same path, so each version gets a folder of its own then.
    /// </summary>
    /// <param name="entries">The entries.</param>
    /// <param name="request">How to restore them.</param>
    /// <param name="folder">The folder that the page may restore to.</param>
    /// <param name="names">The names of the versions, by place.</param>
    /// <param name="versions">All versions.</param>
    public static IReadOnlyList<RestorePart> Divide(
        IReadOnlyList<ServedEntry> entries, RestoreRequest request, string folder, IReadOnlyList<string> names, IReadOnlyList<BackupVersion> versions)
    {
        IGrouping<BackupVersion, ServedEntry>[] groups = [.. entries.GroupBy(entry => entry.Version).OrderBy(group => group.Key.Index)];
        return
        [
            .. groups.Select(group => new RestorePart(group.Key, new RestoreOptions
            {
                Target = groups.Length == 1 ? folder : Path.Join(folder, names[versions.ToList().IndexOf(group.Key)]),
                Filter = EntryFilter.Parse(group.Select(entry => $"@{entry.Path}"), [], caseSensitive: true),
                Overwrite = request.Overwrite,
                RestorePermissions = request.Permissions,
                DontCompressRestorePaths = request.FullPaths,
            })),
        ];
    }

    /// <summary>Everything of all versions, read and verified.</summary>
    public static RestorePart Drill(Backup backup) => new(backup.Versions[0], new RestoreOptions { VerifyOnly = true });

    public Task<RestorePlan> PlanAsync(Backup backup, CancellationToken cancellationToken) => Options.VerifyOnly
        ? backup.PlanDrillAsync(backup.Versions, Options, null, null, cancellationToken)
        : backup.PlanAsync(Version, Options, null, cancellationToken);

    public PartAnswer Describe(RestorePlan plan, decimal? cost) => new(
        Version.Index,
        Version.Time,
        Options.Target,
        plan.Files,
        plan.Files - plan.FilesUnchanged - plan.FilesReplaced,
        plan.FilesReplaced,
        plan.FilesUnchanged,
        plan.Bytes,
        plan.BytesToWrite,
        plan.BytesToFetch,
        plan.Volumes.Count,
        cost,
        [.. plan.Issues.Take(MaxIssues).Select(issue => $"{issue.Path}: {issue.Reason}")]);
}
