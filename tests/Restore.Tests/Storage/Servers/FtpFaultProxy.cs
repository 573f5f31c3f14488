using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.RegularExpressions;

namespace Restore.Tests.Storage.Servers;

/// <summary>
/// A proxy before an FTP server that makes transfers go wrong: it hands control connections on,
/// with the ports for data changed to its own, and breaks off the data of files.
/// </summary>
public sealed partial class FtpFaultProxy : IAsyncDisposable
{
    private readonly TcpListener listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource stop = new();
    private readonly List<Task> running = [];
    private readonly Lock gate = new();
    private readonly int upstreamPort;
    private readonly Fault fault;
    private int transfers;

    /// <param name="upstreamPort">Where the server listens.</param>
    /// <param name="fault">What goes wrong with the data of files: <c>StallAfter</c>,
    /// <c>ResetAfter</c> or <c>EndAfter</c>, so many <c>Times</c>.</param>
    public FtpFaultProxy(int upstreamPort, Fault fault)
    {
        (this.upstreamPort, this.fault) = (upstreamPort, fault);
        listener.Start();
        Run(AcceptAsync);
    }

    public int Port => ((IPEndPoint)listener.LocalEndpoint).Port;

    /// <summary>
    /// How many transfers of files there were so far; the first <c>Times</c> of them were broken
    /// off.
    /// </summary>
    public int Transfers => Volatile.Read(ref transfers);

    public async ValueTask DisposeAsync()
    {
        await stop.CancelAsync();
        listener.Dispose();
        while (Next() is { } task)
        {
            await task;
        }

        stop.Dispose();

        Task? Next()
        {
            lock (gate)
            {
                return running.Find(task => !task.IsCompleted);
            }
        }
    }

    private void Run(Func<Task> work)
    {
        lock (gate)
        {
            running.Add(RunAsync());
        }

        async Task RunAsync()
        {
            try
            {
                await work();
            }
            catch (Exception ended)
                when (ended is OperationCanceledException or IOException or SocketException or ObjectDisposedException)
            {
                // Either side went away, which is what proxies see all the time.
            }
        }
    }

    private async Task AcceptAsync()
    {
        while (true)
        {
            TcpClient client = await listener.AcceptTcpClientAsync(stop.Token);
            Run(() => ControlAsync(client));
        }
    }

    private async Task ControlAsync(TcpClient client)
    {
        using TcpClient ours = client;
        using TcpClient server = await ConnectAsync(upstreamPort);
        string[] lastCommand = [""];
        Task commands = LinesAsync(client.GetStream(), server.GetStream(), line => lastCommand[0] = line);
        Task answers = LinesAsync(
            server.GetStream(),
            client.GetStream(),
            line => PassivePort().Replace(line, port => Redirect(port, lastCommand))
        );
        await Task.WhenAny(commands, answers);
    }

    /// <summary>The port for data in an answer to EPSV, replaced by one of the proxy.</summary>
    private string Redirect(Match port, string[] lastCommand)
    {
        TcpListener data = new(IPAddress.Loopback, 0);
        data.Start();
        int serverPort = int.Parse(port.Groups["port"].Value, CultureInfo.InvariantCulture);
        Run(() => DataAsync(data, serverPort, lastCommand));
        return $"|||{((IPEndPoint)data.LocalEndpoint).Port}|";
    }

    private async Task DataAsync(TcpListener data, int serverPort, string[] lastCommand)
    {
        using TcpListener owned = data;
        using TcpClient client = await data.AcceptTcpClientAsync(stop.Token);
        using TcpClient server = await ConnectAsync(serverPort);
        NetworkStream from = server.GetStream();
        byte[] buffer = new byte[16 * 1024];
        bool? isBroken = null;
        for (long done = 0; ; )
        {
            int count = await from.ReadAsync(buffer, stop.Token);

            // Data comes after its command: only now is it known what it is.
            isBroken ??=
                lastCommand[0].StartsWith("RETR ", StringComparison.Ordinal)
                && Interlocked.Increment(ref transfers) <= fault.Times;
            int limit = isBroken.Value
                ? fault.StallAfter ?? fault.ResetAfter ?? fault.EndAfter ?? int.MaxValue
                : int.MaxValue;
            await client.GetStream().WriteAsync(buffer.AsMemory(0, (int)Math.Min(count, limit - done)), stop.Token);
            done += count;
            if (done >= limit)
            {
                await BreakAsync(client);
                return;
            }

            if (count == 0)
            {
                return;
            }
        }
    }

    private async Task BreakAsync(TcpClient client)
    {
        if (fault.StallAfter is not null)
        {
            await Task.Delay(Timeout.Infinite, stop.Token);
        }

        if (fault.ResetAfter is not null)
        {
            client.LingerState = new LingerOption(true, 0);
        }
    }

    private async Task<TcpClient> ConnectAsync(int port)
    {
        TcpClient server = new();
        await server.ConnectAsync(IPAddress.Loopback, port, stop.Token);
        return server;
    }

    /// <summary>Hands lines on, each as <paramref name="change"/> makes it.</summary>
    private async Task LinesAsync(NetworkStream from, NetworkStream to, Func<string, string> change)
    {
        using StreamReader reader = new(from, Encoding.Latin1, leaveOpen: true);
        while (await reader.ReadLineAsync(stop.Token) is { } line)
        {
            await to.WriteAsync(Encoding.Latin1.GetBytes(change(line) + "\r\n"), stop.Token);
        }
    }

    [GeneratedRegex(@"(?<=^229 .*\()\|\|\|(?<port>\d+)\|")]
    private static partial Regex PassivePort();
}
