namespace Restore.Mount;

/// <summary>
/// An opened backup with the number of its users; it is disposed when the last one has left.
/// </summary>
internal sealed class OpenBackup(Backup backup)
{
    private int users = 1;

    public Backup Backup => backup;

    public void Enter() => Interlocked.Increment(ref users);

    public ValueTask LeaveAsync() =>
        Interlocked.Decrement(ref users) == 0 ? backup.DisposeAsync() : ValueTask.CompletedTask;
}
