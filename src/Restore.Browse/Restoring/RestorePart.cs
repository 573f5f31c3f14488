namespace Restore.Browse.Restoring;

/// <summary>
/// What a restore takes from one version, and where it puts it: nowhere if it is a drill.
/// </summary>
internal sealed record RestorePart(BackupVersion Version, string? Target, RestoreOptions Options)
{
    /// <summary>
    /// Entries of several versions may have the same path, so each version gets its own folder
    /// then.
    /// </summary>
    public static IReadOnlyList<RestorePart> Divide(
        IReadOnlyList<ServedEntry> entries,
        RestoreRequest request,
        BrowseSession session
    )
    {
        IGrouping<BackupVersion, ServedEntry>[] groups =
        [
            .. entries.GroupBy(entry => entry.Version).OrderBy(group => group.Key.Index),
        ];
        return
        [
            .. groups.Select(group =>
                Of(
                    group,
                    groups.Length == 1 ? request.Folder : $"{request.Folder}/{session.NameOf(group.Key)}",
                    request,
                    session
                )
            ),
        ];
    }

    /// <summary>Whether each file comes from the newest version in which it is not suspect.</summary>
    public bool IsLastGood { get; init; }

    /// <summary>The deepest folder that all picked entries are in; null if nothing was picked.</summary>
    public string? FolderAbove { get; init; }

    /// <summary>The name of an archive of it.</summary>
    public string ZipName { get; init; } = "restored.zip";

    /// <summary>Everything, each file from the newest version in which it is not suspect.</summary>
    public static RestorePart LastGood(RestoreRequest request, BrowseSession session) =>
        new(session.Backup.Versions[0], session.Targets.Resolve(request.Folder), OptionsOf(EntryFilter.All, request))
        {
            IsLastGood = true,
        };

    public static RestorePart Drill(Backup backup) =>
        new(backup.Versions[0], null, new RestoreOptions { VerifyOnly = true });

    public Task<RestorePlan> PlanAsync(BrowseSession session, CancellationToken cancellationToken) =>
        Target is null
            ? session.Backup.PlanDrillAsync(session.Backup.Versions, Options, null, null, cancellationToken)
            : session.Targets.PlanAsync(this, cancellationToken);

    public PartAnswer Describe(RestorePlan plan, BrowseSession session)
    {
        bool hasLooked = Target is not null && session.Targets.IsFolder(Target);
        return new PartAnswer(
            Version.Index,
            Version.Time,
            Target,
            plan.Files,
            hasLooked ? plan.Files - plan.FilesUnchanged - plan.FilesReplaced : null,
            hasLooked ? plan.FilesReplaced : null,
            hasLooked ? plan.FilesUnchanged : null,
            plan.Bytes,
            hasLooked ? plan.BytesToWrite : plan.Bytes,
            plan.BytesFetched,
            plan.BytesToFetch,
            plan.Volumes.Count,
            session.CostOf(plan),
            IsLastGood ? [.. (plan.Sources ?? []).Select(source => source.Version.Index)] : null
        );
    }

    private static RestorePart Of(
        IGrouping<BackupVersion, ServedEntry> group,
        string? folder,
        RestoreRequest request,
        BrowseSession session
    )
    {
        string target = session.Targets.Resolve(folder);
        string[] paths = [.. group.Select(entry => entry.Path)];
        return new RestorePart(group.Key, target, OptionsOf(EntryFilter.OfEntries(paths), request))
        {
            ZipName = $"{(paths.Length == 1 ? group.Single().Name : "restored")} {session.NameOf(group.Key)}.zip",
            FolderAbove = paths.Select(EntryPath.FolderOf).Aggregate(Common),
        };
    }

    private static string Common(string folder, string other) =>
        folder[..EntryPath.FolderLength(folder, folder.AsSpan().CommonPrefixLength(other))];

    private static RestoreOptions OptionsOf(EntryFilter filter, RestoreRequest request) =>
        new()
        {
            Filter = filter,
            Overwrite = request.Overwrite,
            RestorePermissions = request.Permissions,
            DontCompressRestorePaths = request.FullPaths,
            AllowRestoreOutsideTargetDirectory = request.CreateLinks ? true : null,
        };
}
