namespace Restore.Storage.Rclone;

/// <summary>
/// The rclone of one store: starts when it is needed, and again if it ended. Safe for concurrent
/// use.
/// </summary>
internal sealed class RunningRclone(StoreContext context, RcloneRemote remote, bool writes) : IAsyncDisposable
{
    private readonly SemaphoreSlim gate = new(1, 1);
    private RcloneConnection? connection;
    private RcloneServer? server;

    public RcloneServer? Current => Volatile.Read(ref server);

    public async ValueTask<RcloneConnection> ConnectionAsync(CancellationToken cancellationToken)
    {
        await gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return connection ??= await RcloneConnection
                .OpenAsync(context, remote, cancellationToken)
                .ConfigureAwait(false);
        }
        finally
        {
            gate.Release();
        }
    }

    public async ValueTask<RcloneServer> ServerAsync(CancellationToken cancellationToken)
    {
        if (Current is { HasExited: false } running)
        {
            return running;
        }

        RcloneConnection open = await ConnectionAsync(cancellationToken).ConfigureAwait(false);
        await gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            // Another caller may have started it again while this one waited for the gate.
            if (server is { HasExited: true } ended)
            {
                server = null;
                await ended.DisposeAsync().ConfigureAwait(false);
            }

            return server ??= await RcloneServer
                .StartAsync(open, context, writes, cancellationToken)
                .ConfigureAwait(false);
        }
        finally
        {
            gate.Release();
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (server is not null)
        {
            await server.DisposeAsync().ConfigureAwait(false);
        }

        gate.Dispose();
    }
}
