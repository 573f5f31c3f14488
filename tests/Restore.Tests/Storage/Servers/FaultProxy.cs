using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Restore.Tests.Storage.Servers;

/// <summary>
/// A proxy before a real server that makes things go wrong. For HTTP it sees requests, one for each
/// connection; otherwise a connection is one long answer.
/// </summary>
public sealed class FaultProxy : IAsyncDisposable
{
    private readonly TcpListener listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource stop = new();
    private readonly int upstreamPort;
    private readonly bool isHttp;
    private readonly List<(Fault Fault, int Left)> faults;
    private readonly List<string> requests = [];
    private readonly List<Task> connections = [];
    private readonly Task accepting;
    private int broken;
    private long answered;

    public FaultProxy(int upstreamPort, params Fault[] faults)
        : this(upstreamPort, isHttp: true, faults) { }

    public FaultProxy(int upstreamPort, bool isHttp, params Fault[] faults)
    {
        (this.upstreamPort, this.isHttp) = (upstreamPort, isHttp);
        this.faults = faults.Select(fault => (fault, fault.Times)).ToList();
        listener.Start();
        Port = ((IPEndPoint)listener.LocalEndpoint).Port;
        accepting = AcceptAsync();
    }

    public int Port { get; }

    /// <summary>How many answers have been broken off so far.</summary>
    public int Broken => Volatile.Read(ref broken);

    /// <summary>How many bytes of answers have been handed on.</summary>
    public long Answered => Interlocked.Read(ref answered);

    /// <summary>The heads of all requests so far.</summary>
    public string[] Requests
    {
        get
        {
            lock (requests)
            {
                return [.. requests];
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        await stop.CancelAsync();
        await accepting;
        listener.Dispose();
        await Task.WhenAll(connections);
        stop.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                TcpClient client = await listener.AcceptTcpClientAsync(stop.Token);
                connections.Add(ServeAsync(client));
            }
        }
        catch (Exception ended) when (ended is OperationCanceledException or SocketException or ObjectDisposedException)
        { }
    }

    private async Task ServeAsync(TcpClient client)
    {
        using (client)
        {
            using var upstream = new TcpClient();
            try
            {
                await ExchangeAsync(client, client.GetStream(), upstream);
            }
            catch (Exception ended) when (ended is OperationCanceledException or IOException or SocketException)
            {
                // Either side went away, which is what proxies see all the time.
            }
        }
    }

    private async Task ExchangeAsync(TcpClient client, NetworkStream fromClient, TcpClient upstream)
    {
        string head = isHttp ? await HeadAsync(fromClient) : "";
        lock (requests)
        {
            requests.Add(head);
        }

        Fault fault = Take(head);
        await Task.Delay(fault.Latency, stop.Token);
        if (fault.Answer is not null)
        {
            await fromClient.WriteAsync(
                Encoding.ASCII.GetBytes($"HTTP/1.1 {fault.Answer}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
                stop.Token
            );
            client.Client.Shutdown(SocketShutdown.Send);
            await DrainAsync(fromClient);
            return;
        }

        await upstream.ConnectAsync(IPAddress.Loopback, upstreamPort, stop.Token);
        NetworkStream toServer = upstream.GetStream();
        if (isHttp)
        {
            string asked = fault
                .ChangeRequest(head)
                .Replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n", StringComparison.Ordinal);
            await toServer.WriteAsync(Encoding.Latin1.GetBytes(asked), stop.Token);
        }

        Task sending = ForwardAsync(fromClient, toServer);
        if (fault.StallAfter < 0)
        {
            await Task.Delay(Timeout.Infinite, stop.Token);
        }

        if (isHttp)
        {
            await fromClient.WriteAsync(
                Encoding.Latin1.GetBytes(fault.ChangeAnswer(await HeadAsync(toServer))),
                stop.Token
            );
        }

        await AnswerAsync(toServer, fromClient, fault);
        if (fault.ResetAfter is not null)
        {
            client.LingerState = new LingerOption(true, 0);
            return;
        }

        client.Client.Shutdown(SocketShutdown.Send);
        await sending;
    }

    private async Task AnswerAsync(NetworkStream from, NetworkStream to, Fault fault)
    {
        int? end = fault.StallAfter ?? fault.ResetAfter ?? fault.EndAfter;
        byte[] buffer = new byte[16 * 1024];
        for (long done = 0; end is null || done < end; )
        {
            int most = Math.Min(
                fault.TrickleBytes ?? buffer.Length,
                end is { } limit ? (int)Math.Min(limit - done, buffer.Length) : buffer.Length
            );
            int count = await from.ReadAsync(buffer.AsMemory(0, most), stop.Token);
            if (count == 0)
            {
                return;
            }

            if (fault.WrongByteAt is { } position && position >= done && position < done + count)
            {
                buffer[position - done] ^= 0xff;
            }

            await to.WriteAsync(buffer.AsMemory(0, count), stop.Token);
            done += count;
            Interlocked.Add(ref answered, count);
            if (fault.TrickleBytes is not null)
            {
                await Task.Delay(50, stop.Token);
            }
        }

        Interlocked.Increment(ref broken);
        if (fault.StallAfter is not null)
        {
            await Task.Delay(Timeout.Infinite, stop.Token);
        }
    }

    private Fault Take(string head)
    {
        lock (faults)
        {
            int at = faults.FindIndex(candidate => candidate.Left > 0 && candidate.Fault.On(head));
            if (at < 0)
            {
                return new Fault();
            }

            (Fault fault, int left) = faults[at];
            faults[at] = (fault, left - 1);
            return fault;
        }
    }

    private async Task ForwardAsync(NetworkStream from, NetworkStream to)
    {
        try
        {
            await from.CopyToAsync(to, stop.Token);
        }
        catch (Exception ended) when (ended is OperationCanceledException or IOException or ObjectDisposedException) { }
    }

    private async Task DrainAsync(NetworkStream from)
    {
        byte[] waste = new byte[4096];
        while (await from.ReadAsync(waste, stop.Token) > 0) { }
    }

    private async Task<string> HeadAsync(NetworkStream from)
    {
        var head = new StringBuilder();
        byte[] one = new byte[1];
        while (!head.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal))
        {
            if (await from.ReadAsync(one, stop.Token) == 0 || head.Length > 32 * 1024)
            {
                throw new IOException("no head");
            }

            head.Append((char)one[0]);
        }

        return head.ToString();
    }
}
