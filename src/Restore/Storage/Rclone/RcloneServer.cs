using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using Restore.Storage.Http;
using Restore.Storage.WebDav;

namespace Restore.Storage.Rclone;

/// <summary>
/// One rclone that serves the remote's files over HTTP on the loopback (or WebDAV, to write them),
/// to this process only: user and password are random.
/// </summary>
internal sealed class RcloneServer : IAsyncDisposable
{
    // Another program may take a free port before rclone does; three times in a row is not chance.
    private const int MaxPortTries = 3;

    private static readonly TimeSpan PollInterval = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan ProbeTimeout = TimeSpan.FromSeconds(5);

    private readonly ChildProcess child;
    private readonly Uri root;
    private readonly string where;
    private readonly WebDavFolder folder;

    private RcloneServer(ChildProcess child, Uri root, HttpFiles files, string where)
    {
        (this.child, this.root, Files, this.where) = (child, root, files, where);
        folder = new WebDavFolder(files, root, where);
    }

    public HttpFiles Files { get; }

    public bool HasExited => child.HasExited;

    public Uri UriOf(string name) => new(root, RemoteNames.EscapePath(name));

    public static async Task<RcloneServer> StartAsync(
        RcloneConnection connection,
        StoreContext context,
        bool writes,
        CancellationToken cancellationToken
    )
    {
        string where = context.Url.DisplayName;
        (string user, string password) = (NewSecret(), NewSecret());
        var all = new Dictionary<string, string>(connection.Environment)
        {
            ["RCLONE_USER"] = user,
            ["RCLONE_PASS"] = password,
        };
        var authorization = new AuthenticationHeaderValue(
            "Basic",
            Convert.ToBase64String(Encoding.ASCII.GetBytes($"{user}:{password}"))
        );
        string timeout = RcloneStore.Seconds(context.Transfers.ProgressTimeout);
        for (int portTry = 1; ; portTry++)
        {
            string address = string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{FreePort()}");

            // No read-ahead, so that a small range is a small transfer. No second layer of retries.
            // One listing, because a backup does not change during a restore, and only by this
            // rclone while it is written. What is written goes to the remote at once, not to a
            // cache on disk.
            string[] service = writes ? ["webdav", "--vfs-cache-mode", "off"] : ["http", "--read-only"];
            ChildProcess child = connection.Program.Start(
                [
                    "serve",
                    .. service,
                    "--addr",
                    address,
                    "--buffer-size",
                    "0",
                    "--no-modtime",
                    "--dir-cache-time",
                    "24h",
                    "--poll-interval",
                    "0",
                    "--low-level-retries",
                    "1",
                    "--timeout",
                    timeout,
                    "--contimeout",
                    timeout,
                    "--ask-password=false",
                    "--",
                    connection.Target,
                ],
                all,
                endsWithUs: true
            );
            var http = new StoreHttp(
                new SocketsHttpHandler { UseProxy = false },
                new CertificateCheck(new StoreOptionValues([])),
                where
            );
            http.Client.DefaultRequestHeaders.Authorization = authorization;
            var server = new RcloneServer(child, new Uri($"http://{address}/"), new HttpFiles(http, context), where);
            try
            {
                await server
                    .WaitUntilReadyAsync(context.Transfers.ProgressTimeout, context.TimeProvider, cancellationToken)
                    .ConfigureAwait(false);
                return server;
            }
            catch (Exception)
                when (child.LastError().Contains("address already in use", StringComparison.OrdinalIgnoreCase)
                    && portTry < MaxPortTries
                )
            {
                await server.DisposeAsync().ConfigureAwait(false);
            }
            catch
            {
                await server.DisposeAsync().ConfigureAwait(false);
                throw;
            }
        }
    }

    public async ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken
    )
    {
        try
        {
            return await Files
                .ReadAsync(UriOf(name), name, offset, destination, cancellationToken)
                .ConfigureAwait(false);
        }

        // The answer of the loopback only says that a transfer failed; the reason, such as a
        // refused password, is on the error output of rclone.
        catch (TransientStoreException failure) when (failure.BytesRead == 0)
        {
            string complaint = child.LastError(name);
            throw complaint == ChildProcess.NoReason
                ? failure
                : RcloneFailures.Of($"{failure.Reason()}; {complaint}", null, where, failure);
        }
    }

    /// <summary>Writes to the folder; a failure has the reason that rclone gives.</summary>
    public async Task WriteAsync(string name, Func<WebDavFolder, Task> write)
    {
        try
        {
            await write(folder).ConfigureAwait(false);
        }
        catch (IOException failure)
        {
            string complaint = child.LastError(name);
            throw complaint == ChildProcess.NoReason
                ? failure
                : RcloneFailures.Of($"{failure.Reason()}; {complaint}", null, where, failure);
        }
    }

    public async ValueTask DisposeAsync()
    {
        folder.Dispose();
        Files.Dispose();
        await child.DisposeAsync().ConfigureAwait(false);
    }

    private async Task WaitUntilReadyAsync(
        TimeSpan timeout,
        TimeProvider timeProvider,
        CancellationToken cancellationToken
    )
    {
        long start = timeProvider.GetTimestamp();
        TimeSpan patience = timeout > TimeSpan.Zero ? timeout : TimeSpan.FromMinutes(1);
        using var probe = new HttpClient(new SocketsHttpHandler { UseProxy = false }) { Timeout = ProbeTimeout };
        while (!await AnswersAsync(probe, cancellationToken).ConfigureAwait(false))
        {
            if (child.HasExited)
            {
                int exitCode = await child.ExitCodeAsync(cancellationToken).ConfigureAwait(false);
                throw RcloneFailures.Of(child.LastError(), exitCode, where);
            }

            if (timeProvider.GetElapsedTime(start) > patience)
            {
                throw RcloneFailures.Of(
                    $"it was not ready after {patience.TotalSeconds:0.###} s; {child.LastError()}",
                    null,
                    where
                );
            }

            await Task.Delay(PollInterval, timeProvider, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>
    /// Sends a request without the password, which never reaches the remote: a refusal proves that
    /// rclone is there and rejects others.
    /// </summary>
    private async Task<bool> AnswersAsync(HttpClient probe, CancellationToken cancellationToken)
    {
        try
        {
            using var request = new HttpRequestMessage(HttpMethod.Head, root);
            using HttpResponseMessage response = await probe
                .SendAsync(request, cancellationToken)
                .ConfigureAwait(false);
            return response.StatusCode == HttpStatusCode.Unauthorized && !child.HasExited;
        }
        catch (HttpRequestException)
        {
            return false;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return false;
        }
    }

    private static string NewSecret() => Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(24));

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
