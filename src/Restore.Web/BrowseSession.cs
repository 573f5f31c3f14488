using Restore.Web.Files;
using Restore.Web.Health;
using Restore.Web.Index;
using Restore.Web.Restoring;

namespace Restore.Web;

/// <summary>What the requests to a server share.</summary>
internal sealed class BrowseSession : IAsyncDisposable
{
    // An eighth of the memory, as for the caches of the library; a million entries take about 100 MB.
    private const int MemoryShare = 8;
    private const long MaxIndexBytes = 4L << 30;

    private readonly CancellationTokenSource stopping = new();

    public BrowseSession(Backup backup, BrowseOptions options)
    {
        Backup = backup;
        Options = options;
        Tree = new EntryIndex(Math.Min(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / MemoryShare, MaxIndexBytes));
        Lists = new VersionLists(backup, Tree, stopping.Token);
        Views = new VersionViews(Tree);
        Trees = new VersionTrees(backup, Tree.Paths, stopping.Token);
        Changes = new VersionChanges(Tree, Lists);
        Health = new BackupHealth(backup, stopping.Token);
        Names = VersionName.Of(backup.Versions);
    }

    public Backup Backup { get; }

    public BrowseOptions Options { get; }

    public EntryIndex Tree { get; }

    public VersionLists Lists { get; }

    public VersionViews Views { get; }

    public VersionTrees Trees { get; }

    public VersionChanges Changes { get; }

    public BackupHealth Health { get; }

    /// <summary>The names of the versions as folders, by index.</summary>
    public IReadOnlyList<string> Names { get; }

    /// <summary>Held while a plan is made: one at a time.</summary>
    public SemaphoreSlim Planning { get; } = new(1);

    /// <summary>The restore that was planned last.</summary>
    public RestoreJob? Job { get; set; }

    public CancellationToken Stopping => stopping.Token;

    /// <summary>What it costs to fetch some bytes; null if no price is known.</summary>
    public decimal? CostOf(long bytes) => Options.PricePerGigabyte * bytes / (1L << 30);

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
        await Trees.DisposeAsync().ConfigureAwait(false);
        Planning.Dispose();
        stopping.Dispose();
    }
}

/// <summary>Versions as names of folders: <see cref="Backup.FolderNameOf"/>, with a number where two have the same time.</summary>
internal static class VersionName
{
    public static IReadOnlyList<string> Of(IReadOnlyList<BackupVersion> versions)
    {
        string[] names = [.. versions.Select(Backup.FolderNameOf)];
        HashSet<string> taken = [];
        for (int i = 0; i < names.Length; i++)
        {
            if (!taken.Add(names[i]))
            {
                names[i] += $"-{versions[i].Index}";
                taken.Add(names[i]);
            }
        }

        return names;
    }
}
