using Restore.Browse.Assessing;
using Restore.Browse.Health;
using Restore.Browse.Restoring;

namespace Restore.Browse;

/// <summary>What the calls of the page share.</summary>
internal sealed class BrowseSession : IAsyncDisposable
{
    // An eighth of the memory, as for the caches of the library; a million entries take about 100
    // MB.
    private const int MemoryShare = 8;
    private const long MaxIndexBytes = 4L << 30;

    private readonly CancellationTokenSource stopping = new();
    private readonly IReadOnlyList<string> localNames;

    public BrowseSession(Backup backup, IRestoreTargets targets, BrowseSettings settings)
    {
        Backup = backup;
        Targets = targets;
        Settings = settings;
        Tree = new EntryIndex(Math.Min(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / MemoryShare, MaxIndexBytes));
        Lists = new VersionLists(backup, Tree, stopping.Token);
        Views = new VersionViews(Tree);
        Trees = new VersionTrees(backup, Tree.Paths, stopping.Token);
        Changes = new ChangesByVersion(Tree, Lists);
        Health = new BackupHealth(backup, stopping.Token);
        Verdicts = new BackupVerdicts(backup, stopping.Token);
        Names = VersionName.Of(backup.Versions);
        localNames = VersionName.Of(backup.Versions, settings.TimeZone);
    }

    public Backup Backup { get; }

    public IRestoreTargets Targets { get; }

    public BrowseSettings Settings { get; }

    public EntryIndex Tree { get; }

    public VersionLists Lists { get; }

    public VersionViews Views { get; }

    public VersionTrees Trees { get; }

    public ChangesByVersion Changes { get; }

    public BackupHealth Health { get; }

    public BackupVerdicts Verdicts { get; }

    /// <summary>The versions as folders of WebDAV.</summary>
    public IReadOnlyList<string> Names { get; }

    public SemaphoreSlim Planning { get; } = new(1);

    public RestoreJob? Job { get; set; }

    public CancellationToken Stopping => stopping.Token;

    /// <summary>
    /// What the bytes of a plan cost, with what was fetched to make it; null if no price is known.
    /// </summary>
    public decimal? CostOf(RestorePlan plan) =>
        Settings.PricePerGigabyte * ((decimal)plan.BytesFetched + plan.BytesToFetch) / (1L << 30);

    /// <summary>A version in the name of a file or folder that a user gets: its local time.</summary>
    public string NameOf(BackupVersion version) => localNames[Backup.Versions.ToList().IndexOf(version)];

    /// <summary>All that the page asks for over every transport.</summary>
    public IEnumerable<Route<BrowseCall>> Routes() =>
        [
            .. new BackupApi(this).Routes(),
            .. new EntryApi(this).Routes(),
            .. new HealthApi(this).Routes(),
            .. new AssessmentApi(this).Routes(),
            .. new RestoreApi(this).Routes(),
        ];

    public void Stop() => stopping.Cancel();

    public async ValueTask DisposeAsync()
    {
        await stopping.CancelAsync().ConfigureAwait(false);
        if (Job is not null)
        {
            await Job.DisposeAsync().ConfigureAwait(false);
        }

        await Lists.DisposeAsync().ConfigureAwait(false);
        await Health.DisposeAsync().ConfigureAwait(false);
        await Verdicts.DisposeAsync().ConfigureAwait(false);
        await Trees.DisposeAsync().ConfigureAwait(false);
        Planning.Dispose();
        stopping.Dispose();
    }
}
