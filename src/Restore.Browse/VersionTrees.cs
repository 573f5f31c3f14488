namespace Restore.Browse;

/// <summary>
/// Opens each version once to read its contents and metadata, with one block cache for all. The
/// tree of a million entries takes about 200 MB, so only the last two stay open.
/// </summary>
internal sealed class VersionTrees(Backup backup, PathTree paths, CancellationToken stopping) : IAsyncDisposable
{
    private const int MaxOpen = 2;

    private readonly BlockMemory memory = new();
    private readonly Lock gate = new();
    private readonly List<(BackupVersion Version, Task<BackupTree> Opening)> open = [];

    public async Task<T> UseAsync<T>(
        BackupVersion version,
        Func<BackupTree, Task<T>> use,
        CancellationToken cancellationToken
    )
    {
        while (true)
        {
            (Task<BackupTree> opening, Task<BackupTree>? dropped) = Find(version);
            await CloseAsync(dropped).ConfigureAwait(false);
            BackupTree tree = await opening.WaitAsync(cancellationToken).ConfigureAwait(false);
            if (tree.TryShare())
            {
                await using (tree.ConfigureAwait(false))
                {
                    return await use(tree).ConfigureAwait(false);
                }
            }
        }
    }

    /// <summary>No request may use a tree any more.</summary>
    public async ValueTask DisposeAsync()
    {
        foreach ((_, Task<BackupTree> opening) in open)
        {
            await CloseAsync(opening).ConfigureAwait(false);
        }
    }

    private (Task<BackupTree> Opening, Task<BackupTree>? Dropped) Find(BackupVersion version)
    {
        lock (gate)
        {
            open.RemoveAll(known => known.Opening.IsFaulted);
            int at = open.FindIndex(known => known.Version == version);
            (BackupVersion Version, Task<BackupTree> Opening) tree =
                at >= 0
                    ? open[at]
                    : (version, Task.Run(() => backup.OpenTreeAsync(version, memory, paths, stopping), stopping));
            if (at >= 0)
            {
                open.RemoveAt(at);
            }

            open.Insert(0, tree);
            Task<BackupTree>? oldest = open.Count > MaxOpen ? open[^1].Opening : null;
            open.RemoveRange(Math.Min(MaxOpen, open.Count), Math.Max(0, open.Count - MaxOpen));
            return (tree.Opening, oldest);
        }
    }

    private static async ValueTask CloseAsync(Task<BackupTree>? opening)
    {
        if (opening is not null)
        {
            await ((Task)opening).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (opening.IsCompletedSuccessfully)
            {
                await (await opening.ConfigureAwait(false)).DisposeAsync().ConfigureAwait(false);
            }
        }
    }
}
