namespace Restore.Web.Health;

/// <summary>How far the check of the volumes is.</summary>
internal enum CheckState
{
    NotStarted,
    Running,
    Done,
    Failed,
}

/// <summary>What is known about the volumes: by a check, which starts when it is asked for, and by the restores and drills of this session.</summary>
internal sealed class BackupHealth(Backup backup, CancellationToken stopping) : IAsyncDisposable
{
    private readonly Lock gate = new();
    private readonly SemaphoreSlim planning = new(1);
    private readonly Dictionary<string, LostVolume> losses = new(StringComparer.Ordinal);
    private Task<CheckReport>? check;
    private RestorePlan? plan;

    /// <summary>The check; null before it was started.</summary>
    public Task<CheckReport>? Check
    {
        get
        {
            lock (gate)
            {
                return check;
            }
        }
    }

    /// <summary>The volumes whose data a restore or a drill of this session missed.</summary>
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

    /// <summary>Starts the check. One that failed, or is over, is started again.</summary>
    public void Start()
    {
        lock (gate)
        {
            if (check is not { IsCompleted: false })
            {
                check = Task.Run(() => backup.CheckAsync(null, stopping), stopping);
            }
        }
    }

    /// <summary>Takes what a restore or a drill found.</summary>
    public void Add(RestoreReport report)
    {
        lock (gate)
        {
            foreach (LostVolume volume in report.LostVolumes)
            {
                losses[volume.Name] = volume;
            }
        }
    }

    /// <summary>The entries of all versions that need a volume. The first call reads all lists and index volumes.</summary>
    public async Task<IEnumerable<EntryOnVolume>> EntriesOnAsync(string volume, CancellationToken cancellationToken)
    {
        await planning.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            plan ??= await backup.PlanDrillAsync(backup.Versions, new RestoreOptions(), null, null, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            planning.Release();
        }

        return plan.EntriesOn(volume);
    }

    public async ValueTask DisposeAsync()
    {
        await (Check ?? Task.CompletedTask).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        planning.Dispose();
    }
}
