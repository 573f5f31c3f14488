using Microsoft.AspNetCore.Http;
using Restore.Web.Api;
using Restore.Web.Http;

namespace Restore.Web.Health;

/// <summary>The volumes of the backup, and the entries that need each.</summary>
internal sealed class HealthApi(BrowseSession session)
{
    private const int MaxIssues = 100;
    private const int MaxEntries = 500;

    public IEnumerable<Route> Routes() =>
    [
        new("GET", "api/health", WriteAsync),
        new("POST", "api/health/start", StartAsync),
        new("GET", "api/volume", VolumeAsync),
    ];

    private Task StartAsync(HttpContext context)
    {
        session.Health.Start();
        return WriteAsync(context);
    }

    private async Task WriteAsync(HttpContext context)
    {
        Task<CheckReport>? check = session.Health.Check;
        CheckState state = check is null ? CheckState.NotStarted
            : check.IsCompletedSuccessfully ? CheckState.Done : check.IsCompleted ? CheckState.Failed : CheckState.Running;
        CheckReport? report = state == CheckState.Done ? await check!.ConfigureAwait(false) : null;
        HealthAnswer answer = new(state, check?.Exception?.InnerException?.Message, report is null ? null : Describe(report));
        await Answer.WriteAsync(context, answer, WebJson.Default.HealthAnswer).ConfigureAwait(false);
    }

    private CheckAnswer Describe(CheckReport report)
    {
        IReadOnlyDictionary<string, LostVolume> losses = session.Health.Losses;
        return new CheckAnswer(
            report.Versions,
            report.IndexVolumes,
            report.Blocks,
            report.LostBlocks,
            [.. report.Volumes.Select(volume => new VolumeAnswer(
                volume.Name, volume.SizeBytes, volume.State, losses.TryGetValue(volume.Name, out LostVolume? lost) ? lost.Entries : 0))],
            report.Issues.Count,
            [.. report.Issues.OrderBy(issue => issue.Kind).Take(MaxIssues).Select(issue => $"{issue.Path}: {issue.Reason}")]);
    }

    private async Task VolumeAsync(HttpContext context)
    {
        string name = Query.Text(context, "name");
        if (name.Length == 0)
        {
            throw new RequestException(StatusCodes.Status400BadRequest, "'name' is missing");
        }

        List<EntryOnVolume> first = [];
        (int total, int lost) = (0, 0);
        foreach (EntryOnVolume entry in await session.Health.EntriesOnAsync(name, context.RequestAborted).ConfigureAwait(false))
        {
            context.RequestAborted.ThrowIfCancellationRequested();
            total++;
            lost += entry.HasOtherCopies ? 0 : 1;
            if (first.Count < MaxEntries)
            {
                first.Add(entry);
            }
        }

        await Answer.WriteAsync(
            context,
            new VolumeEntriesAnswer(name, total, lost, [.. first.Select(entry => new DependentEntry(
                entry.Path, entry.Versions.Newest, entry.Versions.Oldest, entry.SizeBytes, entry.BytesThere, entry.HasOtherCopies))]),
            WebJson.Default.VolumeEntriesAnswer).ConfigureAwait(false);
    }
}

internal sealed record HealthAnswer(CheckState State, string? Error, CheckAnswer? Check);

internal sealed record CheckAnswer(
    int Versions, int IndexVolumes, long Blocks, long LostBlocks, IReadOnlyList<VolumeAnswer> Volumes, int IssueCount, IReadOnlyList<string> Issues);

/// <summary>Losses counts the entries that a restore or a drill of this session lost with it.</summary>
internal sealed record VolumeAnswer(string Name, long Bytes, VolumeState State, long Losses);

/// <summary>Alone counts the entries that need a block that no other volume has.</summary>
internal sealed record VolumeEntriesAnswer(string Name, int Total, int Alone, IReadOnlyList<DependentEntry> Entries);

internal sealed record DependentEntry(string Path, int Newest, int Oldest, long Bytes, long BytesThere, bool HasOtherCopies);

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

    /// <summary>The volumes whose data was missing in a restore or a drill of this session.</summary>
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
                check = Task.Run(() => backup.Maintenance.CheckAsync(null, stopping), stopping);
            }
        }
    }

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
