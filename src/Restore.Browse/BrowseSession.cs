using Restore.Browse.Health;
using Restore.Browse.Restoring;

namespace Restore.Browse;

/// <summary>What the host of the page decides.</summary>
internal sealed record BrowseSettings
{
    /// <summary>Writes reports as one file, to be kept; null if they cannot be saved.</summary>
    public Action<TextWriter, IReadOnlyList<RestoreReport>>? ReportPage { get; init; }

    /// <summary>The price of a GB that leaves the store, in any currency; null if it is not known.</summary>
    public decimal? PricePerGigabyte { get; init; }
}

/// <summary>What the calls of the page share.</summary>
internal sealed class BrowseSession : IAsyncDisposable
{
    // An eighth of the memory, as for the caches of the library; a million entries take about 100 MB.
    private const int MemoryShare = 8;
    private const long MaxIndexBytes = 4L << 30;

    private readonly CancellationTokenSource stopping = new();

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
        Names = VersionName.Of(backup.Versions);
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

    public IReadOnlyList<string> Names { get; }

    public SemaphoreSlim Planning { get; } = new(1);

    public RestoreJob? Job { get; set; }

    public CancellationToken Stopping => stopping.Token;

    /// <summary>Null if no price is known.</summary>
    public decimal? CostOf(long bytes) => Settings.PricePerGigabyte * bytes / (1L << 30);

    /// <summary>A version as the name of a folder.</summary>
    public string NameOf(BackupVersion version) => Names[Backup.Versions.ToList().IndexOf(version)];

    /// <summary>All that the page asks for over every transport.</summary>
    public IEnumerable<Route<BrowseCall>> Routes() =>
        [.. new BackupApi(this).Routes(), .. new EntryApi(this).Routes(), .. new HealthApi(this).Routes(), .. new RestoreApi(this).Routes()];

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

/// <summary>The path of a folder ends with a separator. The content is null for a folder that the list does not have itself.</summary>
internal sealed record ServedEntry(BackupVersion Version, TreeId Node, string Path, EntryVersion? Content)
{
    public bool IsFolder => Content is not { Kind: not BackupEntryKind.Folder };

    public string Name => EntryPath.NameOf(Path) is { Length: > 0 } name ? name : "backup";

    public string Tag => $"\"{Content?.Content ?? 0:x16}-{Content?.SizeBytes ?? 0:x}-{Content?.TimeTicks ?? 0:x}\"";

    public static async Task<ServedEntry> FindAsync(BrowseSession session, BrowseCall call)
    {
        BackupVersion version = call.Version(session.Backup);
        TreeId node = new(call.Number("id"));
        await session.Lists.ReadAsync(version, call.Aborted).ConfigureAwait(false);
        return Find(session, version, node) ?? throw new CallException(CallStatus.NotFound, $"Version {version.Index} has no such entry");
    }

    /// <summary>Null if the version, whose list is read, does not have it.</summary>
    public static ServedEntry? Find(BrowseSession session, BackupVersion version, TreeId node)
    {
        EntryIndex tree = session.Tree;
        lock (tree.Gate)
        {
            if (node.Number < 0 || !session.Views.Of(version.Index).Has(node))
            {
                return null;
            }

            EntryVersion? content = tree.Find(node, version.Index);
            string path = tree.Paths.PathOf(node);
            bool isFolder = content is not { Kind: not BackupEntryKind.Folder };
            char separator = tree.Paths.SeparatorOf(node);
            return new ServedEntry(version, node, isFolder && !path.EndsWith(separator) ? path + separator : path, content);
        }
    }

    public EntryFilter Filter() => EntryFilter.OfEntries(Path);
}
