namespace Restore.Storage.Rclone;

/// <summary>
/// A store that rclone reaches, for writing: rclone serves it over WebDAV on the loopback, and
/// passes on what it gets without keeping it.
/// </summary>
internal sealed class RcloneSink(StoreContext context, RcloneRemote remote) : IVolumeSink
{
    private readonly RcloneStore store = new(context, remote);
    private readonly RunningRclone rclone = new(context, remote, writes: true);

    public string DisplayName => store.DisplayName;

    public bool IsLocal => false;

    public IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default) =>
        MissingFolder.AsEmpty(store, cancellationToken);

    public async ValueTask PutAsync(
        string name,
        ReadOnlyMemory<byte> content,
        CancellationToken cancellationToken = default
    )
    {
        RcloneServer running = await rclone.ServerAsync(cancellationToken).ConfigureAwait(false);
        await running
            .WriteAsync(name, folder => folder.PutAsync(name, content, cancellationToken))
            .ConfigureAwait(false);
    }

    public async ValueTask DeleteAsync(string name, CancellationToken cancellationToken = default)
    {
        RcloneServer running = await rclone.ServerAsync(cancellationToken).ConfigureAwait(false);
        await running.WriteAsync(name, folder => folder.DeleteAsync(name, cancellationToken)).ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync()
    {
        await rclone.DisposeAsync().ConfigureAwait(false);
        await store.DisposeAsync().ConfigureAwait(false);
    }
}
