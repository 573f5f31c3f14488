using Renci.SshNet;

namespace Restore.Sftp;

/// <summary>
/// The connections of one store. The first opens with the first operation; more open in the
/// background when those there are have much to do, since one connection is limited by its window
/// and by one thread that decrypts. One that failed is replaced. Safe for concurrent use.
/// </summary>
internal sealed class SftpConnections(StoreContext context) : IAsyncDisposable
{
    // 16 transfers at most are under way, and a server counts logins, not operations.
    private const int MaxConnections = 4;
    private const int BusyOperations = 2;

    private readonly SftpConnection connection = new(context);
    private readonly SftpFailures failures = new(context);
    private readonly CancellationTokenSource stop = new();
    private readonly List<SftpLine> lines = [];
    private readonly Lock gate = new();
    private Task<SftpLine>? opening;
    private bool opensMore = true;

    /// <summary>
    /// Runs an operation on a connection. A failure becomes an exception of the port, and one of
    /// the connection closes it.
    /// </summary>
    public async Task<T> RunAsync<T>(
        Func<SftpClient, Task<T>> operation,
        string what,
        CancellationToken cancellationToken
    )
    {
        SftpLine? line = null;
        try
        {
            line = await RentAsync(cancellationToken).ConfigureAwait(false);
            return await operation(line.Client).ConfigureAwait(false);
        }
        catch (TransientStoreException)
        {
            line?.Break();
            throw;
        }
        catch (Exception failure) when (SftpFailures.Handles(failure))
        {
            Exception mapped = failures.Of(failure, what);

            // An answer of the server, such as a missing file, leaves the connection as it is. Any
            // other failure may have left answers on it that no operation waits for.
            if (mapped is TransientStoreException)
            {
                line?.Break();
            }

            throw mapped;
        }
        finally
        {
            line?.Return();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await stop.CancelAsync().ConfigureAwait(false);
        if (opening is { } last)
        {
            await ((Task)last).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        foreach (SftpLine line in lines)
        {
            line.Break();
        }

        stop.Dispose();
    }

    private async Task<SftpLine> RentAsync(CancellationToken cancellationToken)
    {
        Task<SftpLine> next;
        lock (gate)
        {
            lines.RemoveAll(line => !line.IsUsable);
            if (lines.MinBy(line => line.Operations) is { } idlest)
            {
                if (idlest.Operations >= BusyOperations && lines.Count < MaxConnections && opensMore)
                {
                    opening ??= OpenAsync();
                }

                return idlest.Rented();
            }

            next = opening ??= OpenAsync();
        }

        return (await next.WaitAsync(cancellationToken).ConfigureAwait(false)).Rented();
    }

    /// <summary>One connection opens at a time, and all who have none wait for it.</summary>
    private async Task<SftpLine> OpenAsync()
    {
        // The caller holds the lock, and must have stored the task before this clears it again.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        try
        {
            SftpLine line = new(await connection.OpenAsync(stop.Token).ConfigureAwait(false));
            lock (gate)
            {
                lines.Add(line);
            }

            return line;
        }
        catch
        {
            // A server may limit its connections: what is there has to do.
            opensMore = lines.Count == 0;
            throw;
        }
        finally
        {
            lock (gate)
            {
                opening = null;
            }
        }
    }
}
