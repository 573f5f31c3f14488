namespace Restore.Browse.Restoring;

/// <summary>
/// What a restore takes from one version, and where it puts it: the target is null for a drill, and
/// for the original places.
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
        return request.IsOriginal && groups.Length > 1
            ? throw new CallException(
                CallStatus.Conflict,
                "Entries of several versions can have the same original place: pick those of one version, or give a folder"
            )
            :
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

    public bool IsDrill { get; init; }

    /// <summary>Whether each entry goes to the place that it had.</summary>
    public bool IsOriginal => Target is null && !IsDrill;

    /// <summary>Whether each file comes from the newest version in which it is not suspect.</summary>
    public bool IsLastGood { get; init; }

    /// <summary>The deepest folder that all picked entries are in; null if nothing was picked.</summary>
    public string? FolderAbove { get; init; }

    /// <summary>The name of an archive of it.</summary>
    public string ZipName { get; init; } = "restored.zip";

    /// <summary>Everything, each file from the newest version in which it is not suspect.</summary>
    public static RestorePart LastGood(RestoreRequest request, BrowseSession session) =>
        new(session.Backup.Versions[0], TargetOf(request.Folder, request, session), OptionsOf(EntryFilter.All, request))
        {
            IsLastGood = true,
        };

    public static RestorePart Drill(Backup backup) =>
        new(backup.Versions[0], null, new RestoreOptions { VerifyOnly = true }) { IsDrill = true };

    public Task<RestorePlan> PlanAsync(BrowseSession session, CancellationToken cancellationToken) =>
        IsDrill
            ? session.Backup.PlanDrillAsync(session.Backup.Versions, Options, null, null, cancellationToken)
            : session.Targets.PlanAsync(this, cancellationToken);

    /// <summary>
    /// The target, or the folder that has all original places; null for a drill. It goes through all
    /// entries.
    /// </summary>
    public string? PlaceOf(RestorePlan plan) => IsOriginal ? plan.CommonFolder : Target;

    /// <param name="plan">Its plan.</param>
    /// <param name="place">What <see cref="PlaceOf"/> gives for it.</param>
    /// <param name="session">The session.</param>
    public PartAnswer Describe(RestorePlan plan, string? place, BrowseSession session)
    {
        bool hasLooked = IsOriginal || (Target is not null && session.Targets.IsFolder(Target));
        return new PartAnswer(
            Version.Index,
            Version.Time,
            place,
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
        string? target = TargetOf(folder, request, session);
        string[] paths = [.. group.Select(entry => entry.Path)];
        return new RestorePart(group.Key, target, OptionsOf(EntryFilter.OfEntries(paths), request))
        {
            ZipName = $"{(paths.Length == 1 ? group.Single().Name : "restored")} {session.NameOf(group.Key)}.zip",
            FolderAbove = paths.Select(EntryPath.FolderOf).Aggregate(Common),
        };
    }

    private static string? TargetOf(string? folder, RestoreRequest request, BrowseSession session) =>
        request.IsOriginal ? null : session.Targets.Resolve(folder);

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
