namespace Restore.Web.Files;

/// <summary>
/// The versions whose contents and metadata are read, each opened once, with one memory of blocks for all. The tree of a million entries takes about 200 MB, so
/// the last two stay open.
/// </summary>
internal sealed class VersionTrees(Backup backup, PathTree paths, CancellationToken stopping) : IAsyncDisposable
{
    private const int MaxOpen = 2;

    private readonly BlockMemory memory = new();
    private readonly Lock gate = new();
    private readonly List<OpenTree> open = [];

    /// <summary>Uses the tree of a version; opens it first if it is not open.</summary>
    public async Task<T> UseAsync<T>(BackupVersion version, Func<BackupTree, Task<T>> use, CancellationToken cancellationToken)
    {
        (OpenTree entered, OpenTree? dropped) = Enter(version);
        try
        {
            await DisposeAsync(dropped).ConfigureAwait(false);
            return await use(await entered.Opening.WaitAsync(cancellationToken).ConfigureAwait(false)).ConfigureAwait(false);
        }
        finally
        {
            await LeaveAsync(entered).ConfigureAwait(false);
        }
    }

    /// <summary>No request may use a tree any more.</summary>
    public async ValueTask DisposeAsync()
    {
        foreach (OpenTree tree in open)
        {
            await DisposeAsync(tree).ConfigureAwait(false);
        }
    }

    private (OpenTree Entered, OpenTree? Dropped) Enter(BackupVersion version)
    {
        lock (gate)
        {
            OpenTree tree = open.Find(tree => tree.Version == version && !tree.Opening.IsFaulted)
                ?? new OpenTree(version, Task.Run(() => backup.OpenTreeAsync(version, memory, paths, stopping), stopping));
            open.RemoveAll(known => known == tree || known.Opening.IsFaulted);
            open.Insert(0, tree);
            tree.Users++;
            OpenTree? oldest = open.Count > MaxOpen ? open[^1] : null;
            open.RemoveRange(Math.Min(MaxOpen, open.Count), Math.Max(0, open.Count - MaxOpen));
            return (tree, oldest is { Users: 0 } ? oldest : null);
        }
    }

    private async ValueTask LeaveAsync(OpenTree tree)
    {
        bool isLast;
        lock (gate)
        {
            tree.Users--;
            isLast = tree.Users == 0 && !open.Contains(tree);
        }

        await DisposeAsync(isLast ? tree : null).ConfigureAwait(false);
    }

    private static async ValueTask DisposeAsync(OpenTree? tree)
    {
        if (tree is not null)
        {
            await ((Task)tree.Opening).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (tree.Opening.IsCompletedSuccessfully)
            {
                BackupTree opened = await tree.Opening.ConfigureAwait(false);
                await opened.DisposeAsync().ConfigureAwait(false);
            }
        }
    }

    private sealed class OpenTree(BackupVersion version, Task<BackupTree> opening)
    {
        public BackupVersion Version => version;

        public Task<BackupTree> Opening => opening;

        /// <summary>The requests that use it.</summary>
        public int Users { get; set; }
    }
}
