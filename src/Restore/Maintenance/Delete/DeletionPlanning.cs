namespace Restore.Maintenance.Delete;

/// <summary>
/// Plans which versions to delete. Reads from each file list whether its backup was completed,
/// which also proves the passphrase, and decides.
/// </summary>
internal sealed class DeletionPlanning(
    MaintenanceContext context,
    IReadOnlyList<BackupVersion> versions,
    ProgressMeter progress,
    CancellationToken cancellationToken
)
{
    /// <exception cref="RestoreException">A version that is named does not exist, the passphrase is
    /// wrong, or no file list can be read.</exception>
    public async Task<DeletionPlan> PlanAsync(RetentionRules rules)
    {
        // Rules count versions, and so do numbers.
        if (context.Volumes.StandIn(kind => kind == VolumeKind.FileList) is { } standIn)
        {
            throw new RestoreException(
                RestoreErrorCode.NeedsUnknown,
                $"It is not known which versions there are, so nothing is deleted: {standIn}",
                context.Location
            );
        }

        progress.Begin(RestorePhase.ReadingFileList, volumes: versions.Count);
        IReadOnlyList<Volume> lists = context.Volumes.FileLists;
        (bool? IsFull, string? Defect)[] read = new (bool?, string?)[lists.Count];
        FilesetReading reading = new(context.Loader, context.Volumes, context.Ranges);
        for (int i = 0; i < lists.Count; i++)
        {
            read[i] = await reading.ReadAsync(lists[i], cancellationToken).ConfigureAwait(false);
            progress.Volumes(i + 1, lists.Count);
        }

        VersionFate[] fates = DecideReadable(rules, read);
        HashSet<BackupVersion> empty = [];

        // The version that stays in place of the deleted ones must be good. If it turns out to have
        // no file or a broken list, the rules decide again without it, until the newest version
        // that stays is good or nothing is deleted.
        while (NewestLeft(fates, read, empty) is { } left)
        {
            (string? defect, bool hasFile) = await LookThroughAsync(left).ConfigureAwait(false);
            if (defect is null && hasFile)
            {
                break;
            }

            // A version without a file, for example because a source was not mounted, does not
            // count, like a partial version.
            empty.Add(left);
            read[left.Index] = defect is null ? (false, null) : (null, defect);
            fates = DecideReadable(rules, read);
        }

        progress.Begin(RestorePhase.Done);
        return new DeletionPlan
        {
            Versions = fates,
            Bytes = fates.Where(fate => fate.IsDeleted).Sum(fate => lists[fate.Version.Index].SizeBytes),
            Issues =
            [
                .. context.Volumes.Issues,
                .. lists
                    .Index()
                    .Where(list => read[list.Index].IsFull is null)
                    .Select(list => new RestoreIssue(
                        IssueKind.Warning,
                        list.Item.FileName,
                        $"The file list cannot be read: {read[list.Index].Defect}"
                    )),
            ],
        };
    }

    /// <summary>
    /// Names what may be a further file of a list that goes, and is not its copy for sure: it
    /// stays, and with it what the version needs.
    /// </summary>
    public static DeletionPlan WithLeftOvers(DeletionPlan plan, VolumeSet volumes)
    {
        HashSet<DateTimeOffset> times = [.. plan.Deleted.Select(version => version.Time)];
        return plan with
        {
            Issues =
            [
                .. plan.Issues,
                .. volumes
                    .Strange.Where(file => file.IsFileList && file.Trace.Time is { } time && times.Contains(time))
                    .Select(file => new RestoreIssue(
                        IssueKind.Warning,
                        file.FileName,
                        "It looks like the file list of a version that goes, and stays: delete it too, or move it away, "
                            + "because the version can be read from it, and no compact runs while it is there"
                    )),
            ],
        };
    }

    /// <summary>
    /// The newest version that stays while others are deleted. It has to replace them, so its list
    /// must be whole. Null if no version is deleted or no version stays.
    /// </summary>
    private static BackupVersion? NewestLeft(
        VersionFate[] fates,
        (bool? IsFull, string? Defect)[] read,
        HashSet<BackupVersion> empty
    ) =>
        fates.Any(fate => fate.IsDeleted)
            ? fates
                .FirstOrDefault(fate =>
                    !fate.IsDeleted && read[fate.Version.Index].IsFull is not null && !empty.Contains(fate.Version)
                )
                ?.Version
            : null;

    /// <summary>
    /// Reads the list of a version to its end. Returns what is wrong with the list, or null, and
    /// whether it has a file.
    /// </summary>
    private async Task<(string? Defect, bool HasFile)> LookThroughAsync(BackupVersion version)
    {
        FirstFile sink = new();
        try
        {
            await new FileListReading(context.Loader, context.Volumes)
                .ReadIntoAsync(
                    context.Volumes.FileLists[version.Index],
                    version,
                    _ => sink,
                    isChecked: true,
                    cancellationToken
                )
                .ConfigureAwait(false);
            return (null, sink.IsFound);
        }
        catch (RestoreException failure) when (FileListReading.IsUnusable(failure))
        {
            return (failure.InnerException is { } cause ? cause.Reason() : failure.What, false);
        }
    }

    private VersionFate[] DecideReadable(RetentionRules rules, (bool? IsFull, string? Defect)[] read) =>
        read.Any(list => list.IsFull is not null)
            ? Decide(rules, read)
            : throw new RestoreException(
                RestoreErrorCode.FileListUnusable,
                $"None of the {read.Length:N0} file lists can be read, so nothing is deleted: {read[0].Defect}",
                context.Location
            );

    /// <summary>
    /// Local time, because Duplicati compares times as a wall clock showed them: the hour of a
    /// change to summer time counts.
    /// </summary>
    private DateTimeOffset WallClock(DateTimeOffset time) =>
        new(TimeZoneInfo.ConvertTime(time, context.Time.LocalTimeZone).DateTime, TimeSpan.Zero);

    /// <summary>
    /// A version with an unreadable list is deleted only if it is named. It counts for no rule, so
    /// it never takes the place of a version that can be restored.
    /// </summary>
    private VersionFate[] Decide(RetentionRules rules, (bool? IsFull, string? Defect)[] read)
    {
        int[] readable = [.. Enumerable.Range(0, versions.Count).Where(i => read[i].IsFull is not null)];
        Dictionary<int, int> places = readable.Index().ToDictionary(pair => pair.Item, pair => pair.Index);
        RetentionRules ofReadable = rules with
        {
            Versions = [.. rules.Versions.Where(places.ContainsKey).Select(version => places[version])],
            KeepSince = rules.KeepSince is { } since ? WallClock(since) : null,
        };
        RetentionResult[] results = RetentionDecision.Of(
            [.. readable.Select(i => new RetainedVersion(WallClock(versions[i].Time), read[i].IsFull!.Value))],
            ofReadable,
            WallClock(context.Time.GetUtcNow())
        );
        return
        [
            .. versions.Select(
                (version, i) =>
                    places.TryGetValue(i, out int place)
                        ? new VersionFate(
                            version,
                            read[i].IsFull!.Value,
                            results[place].IsDeleted,
                            results[place].Reason
                        )
                    : rules.Versions.Contains(i) ? new VersionFate(version, IsFull: false, IsDeleted: true, "was named")
                    : new VersionFate(version, IsFull: false, IsDeleted: false, "its file list cannot be read")
            ),
        ];
    }
}
