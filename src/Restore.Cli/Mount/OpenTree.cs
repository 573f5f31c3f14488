namespace Restore.Cli.Mount;

/// <summary>A tree in memory with its facts, and the number of its users. It is disposed when it is dropped and the last user has left.</summary>
internal sealed class OpenTree(BackupTree tree, OpenBackup backup, TreeFacts facts)
{
    private readonly Lock gate = new();
    private int users;
    private bool isDropped;

    public BackupTree Tree => tree;

    public TreeFacts Facts => facts;

    public OpenBackup Backup => backup;

    /// <summary>When it was used last, by a counter.</summary>
    public long LastUse { get; set; }

    public bool IsUsed => Volatile.Read(ref users) > 0;

    /// <returns>False if the tree has been dropped.</returns>
    public bool TryEnter()
    {
        lock (gate)
        {
            users += isDropped ? 0 : 1;
            return !isDropped;
        }
    }

    public ValueTask LeaveAsync()
    {
        lock (gate)
        {
            users--;
            return isDropped && users == 0 ? DisposeAsync() : ValueTask.CompletedTask;
        }
    }

    /// <summary>Lets no other user in.</summary>
    public ValueTask DropAsync()
    {
        lock (gate)
        {
            var isLast = !isDropped && users == 0;
            isDropped = true;
            return isLast ? DisposeAsync() : ValueTask.CompletedTask;
        }
    }

    private async ValueTask DisposeAsync()
    {
        facts.Dispose();
        await tree.DisposeAsync();
        await backup.LeaveAsync();
    }
}
