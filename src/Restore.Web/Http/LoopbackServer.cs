using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Restore.Web.Http;

/// <summary>
/// ASP.NET Core's server on the loopback interface, without a host: no file or variable of the
/// environment configures it, and it leaves signals to the program.
/// </summary>
internal sealed class LoopbackServer : IAsyncDisposable
{
    private const int MaxConnections = 256;
    private const long MaxRequestBytes = 4 << 20;
    private static readonly TimeSpan StopTime = TimeSpan.FromSeconds(2);

    private readonly KestrelServer kestrel;

    private LoopbackServer(KestrelServer kestrel, int port)
    {
        this.kestrel = kestrel;
        Port = port;
    }

    public int Port { get; }

    public static async Task<LoopbackServer> StartAsync(
        int port,
        RequestDelegate handle,
        ILoggerFactory loggerFactory,
        CancellationToken cancellationToken
    )
    {
        KestrelServerOptions options = new() { AddServerHeader = false };
        options.Limits.MaxRequestBodySize = MaxRequestBytes;

        // A player or a file manager may pause in the middle of a file.
        options.Limits.MinResponseDataRate = null;
        Connections connections = new(MaxConnections);
        options.Listen(
            IPAddress.Loopback,
            port,
            listen =>
            {
                listen.Protocols = HttpProtocols.Http1;
                ((IConnectionBuilder)listen).Use(connections.Watch);
            }
        );
        SocketTransportFactory sockets = new(Options.Create(new SocketTransportOptions()), loggerFactory);
        KestrelServer kestrel = new(Options.Create(options), sockets, loggerFactory);
        try
        {
            await kestrel
                .StartAsync(new Application(context => connections.AnswerAsync(context, handle)), cancellationToken)
                .ConfigureAwait(false);
            string address = kestrel.Features.GetRequiredFeature<IServerAddressesFeature>().Addresses.Single();
            return new LoopbackServer(kestrel, new Uri(address).Port);
        }
        catch (SocketException failure)
        {
            // Such as a low port, which only the root user may use.
            kestrel.Dispose();
            throw new IOException(failure.Message, failure);
        }
        catch
        {
            kestrel.Dispose();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        // Afterwards connections are aborted.
        using CancellationTokenSource patience = new(StopTime);
        await kestrel.StopAsync(patience.Token).ConfigureAwait(false);
        kestrel.Dispose();
    }

    private sealed class Application(RequestDelegate handle) : IHttpApplication<HttpContext>
    {
        public HttpContext CreateContext(IFeatureCollection contextFeatures) => new DefaultHttpContext(contextFeatures);

        public Task ProcessRequestAsync(HttpContext context) => handle(context);

        public void DisposeContext(HttpContext context, Exception? exception) { }
    }
}
