using Restore.Browse.Restoring;

namespace Restore.Browse.Health;

/// <summary>
/// A check, with the entries that the lists and index volumes call lost, and those on volumes of
/// the wrong size alone.
/// </summary>
internal sealed record HealthCheck(CheckReport Report, IReadOnlyList<RestoreIssue> Lost, IReadOnlySet<string> AtRisk);

/// <summary>
/// What is known about the volumes: by a check, which starts when it is asked for, and by the
/// restores and drills of this session.
/// </summary>
internal sealed class BackupHealth(Backup backup, CancellationToken stopping) : IAsyncDisposable
{
    private const int MaxFolders = 100;

    private readonly Lock gate = new();
    private readonly SemaphoreSlim planning = new(1);
    private readonly Dictionary<string, LostVolume> losses = new(StringComparer.Ordinal);
    private readonly List<RestoreIssue> found = [];
    private Task<HealthCheck>? check;
    private RestorePlan? plan;
    private bool isVerified;

    public LossMarks Marks { get; } = new();

    /// <summary>The check; null before it was started.</summary>
    public Task<HealthCheck>? Check
    {
        get
        {
            lock (gate)
            {
                return check;
            }
        }
    }

    /// <summary>
    /// The volumes with data that was missing in a restore or a drill of this session.
    /// </summary>
    public IReadOnlyDictionary<string, LostVolume> Losses
    {
        get
        {
            lock (gate)
            {
                return new Dictionary<string, LostVolume>(losses, StringComparer.Ordinal);
            }
        }
    }

    /// <summary>Starts the check, again if it failed or is over.</summary>
    public void Start()
    {
        lock (gate)
        {
            if (check is not { IsCompleted: false })
            {
                check = Task.Run(CheckAsync, stopping);
            }
        }
    }

    public void Add(RestoreReport report)
    {
        Marks.Add(report.Issues, report.Version);
        lock (gate)
        {
            foreach (LostVolume volume in report.LostVolumes)
            {
                losses[volume.Name] = volume;
            }

            found.AddRange(
                report
                    .Issues.Where(IsLossOfData)
                    .Select(issue => issue with { Versions = issue.Versions ?? RangeOf(report.Version) })
            );
            isVerified |=
                report is { VerifyOnly: true, Drill: { BytesShare: 1 } drill }
                && drill.VersionsCovered == drill.Versions.Count;
        }
    }

    /// <summary>What the lists say is lost, and what was lost in this session.</summary>
    public LossTotals LossesOf(HealthCheck done)
    {
        RestoreIssue[] all;
        bool everything;
        lock (gate)
        {
            (all, everything) = ([.. done.Lost, .. found], isVerified);
        }

        ILookup<bool, RestoreIssue> isContent = all.ToLookup(issue =>
            issue.Kind != IssueKind.Metadata && IsFile(issue.Path)
        );
        HashSet<string> metadata = [.. isContent[false].Select(issue => issue.Path)];
        RestoreIssue[] content = [.. isContent[true]];
        HashSet<string> files = [.. content.Select(issue => issue.Path)];
        LostFolder[] folders =
        [
            .. content
                .GroupBy(IssueSummary.FolderOf)
                .Select(group => new LostFolder(
                    group.Key,
                    group.Select(issue => issue.Path).Distinct().Count(),
                    group.Min(issue => issue.Versions?.Newest ?? 0),
                    group.Max(issue => issue.Versions?.Oldest ?? 0),
                    group.MinBy(issue => issue.Versions?.Newest ?? 0)!.Path
                ))
                .OrderByDescending(folder => folder.Files)
                .ThenBy(folder => folder.Path, StringComparer.Ordinal),
        ];
        return new LossTotals(
            files.Count,
            metadata.Count(path => !files.Contains(path)),
            everything ? 0 : done.AtRisk.Count(path => !files.Contains(path)),
            everything,
            folders.Length,
            [.. folders.Take(MaxFolders)]
        );
    }

    /// <summary>
    /// The entries of all versions that need a volume. The first call reads all lists and index
    /// volumes.
    /// </summary>
    public async Task<IEnumerable<EntryOnVolume>> EntriesOnAsync(string volume, CancellationToken cancellationToken)
    {
        RestorePlan all = await PlanAsync(cancellationToken).ConfigureAwait(false);
        return all.EntriesOn(volume);
    }

    // What the target refused, or may have lost (Doubtful), the backup still has.
    private static bool IsLossOfData(RestoreIssue issue) =>
        issue.IsLoss && issue.Kind is not (IssueKind.Refused or IssueKind.Doubtful);

    private static bool IsFile(string path) => EntryPath.WithoutSeparator(path).Length == path.Length;

    private static VersionRange RangeOf(BackupVersion version) => new(version.Index, version.Index);

    private async Task<HealthCheck> CheckAsync()
    {
        CheckReport report = await backup.Maintenance.CheckAsync(null, stopping).ConfigureAwait(false);
        RestorePlan all = await PlanAsync(stopping).ConfigureAwait(false);
        HashSet<string> atRisk =
        [
            .. report
                .Volumes.Where(volume => volume.State == VolumeState.WrongSize)
                .SelectMany(volume => all.EntriesOn(volume.Name))
                .Where(entry => !entry.HasOtherCopies)
                .Select(entry => entry.Path)
                .Where(IsFile),
        ];
        Marks.Add(all.Issues, all.Version);
        return new HealthCheck(report, [.. all.Issues.Where(IsLossOfData)], atRisk);
    }

    private async Task<RestorePlan> PlanAsync(CancellationToken cancellationToken)
    {
        await planning.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return plan ??= await backup
                .PlanDrillAsync(backup.Versions, new RestoreOptions(), null, null, cancellationToken)
                .ConfigureAwait(false);
        }
        finally
        {
            planning.Release();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await (Check ?? Task.CompletedTask).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        planning.Dispose();
    }
}
