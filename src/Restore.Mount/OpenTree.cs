namespace Restore.Mount;

/// <summary>
/// A tree in memory with its facts. Each user of the tree counts as a user of its backup too. The
/// mount is a user as long as it keeps the tree.
/// </summary>
internal sealed class OpenTree(BackupTree tree, OpenBackup backup, TreeFacts facts)
{
    public BackupTree Tree => tree;

    public TreeFacts Facts => facts;

    /// <summary>When it was used last, by a counter.</summary>
    public long LastUse { get; set; }

    /// <returns>False if the tree is not open any more.</returns>
    public bool TryEnter()
    {
        var isOpen = tree.TryShare();
        if (isOpen)
        {
            backup.Enter();
        }

        return isOpen;
    }

    public async ValueTask LeaveAsync()
    {
        await tree.DisposeAsync();
        await backup.LeaveAsync();
    }
}

/// <summary>A version in the mount.</summary>
/// <param name="Number">Its number, which stays the same as long as the mount lives.</param>
/// <param name="Name">The name of its folder.</param>
/// <param name="Version">Where it is in the backup.</param>
/// <param name="Backup">The backup that has it.</param>
internal sealed record MountedVersion(uint Number, string Name, BackupVersion Version, OpenBackup Backup);
