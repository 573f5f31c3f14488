using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Restore.Benchmarks.Fetching;

/// <summary>
/// A WebDAV server on the loopback for one folder, with ranges and persistent connections, behind a
/// <see cref="Link"/>. A new connection also waits for the round trip of its handshake; TCP's slow
/// start is not imitated.
/// </summary>
internal sealed class FolderServer : IAsyncDisposable
{
    private const int PieceBytes = 128 << 10;

    private readonly string folder;
    private readonly Link link;
    private readonly TcpListener listener;
    private readonly CancellationTokenSource stop = new();
    private readonly List<Task> connections = [];
    private readonly Task accepting;
    private long requests;
    private long bytesSent;
    private long dataBytes;
    private long firstData;
    private long lastData;

    /// <param name="folder">What it serves.</param>
    /// <param name="link">What it is behind.</param>
    /// <param name="port">A port that was free; 0 for any.</param>
    public FolderServer(string folder, Link link, int port = 0)
    {
        (this.folder, this.link) = (folder, link);
        listener = new TcpListener(IPAddress.Loopback, port);
        listener.Start();
        accepting = AcceptAsync();
    }

    /// <summary>The folder as a URL of a store.</summary>
    public string Url => string.Create(CultureInfo.InvariantCulture, $"webdav://127.0.0.1:{Port}/backup");

    public int Port => ((IPEndPoint)listener.LocalEndpoint).Port;

    public int Connections => connections.Count;

    public long Requests => Interlocked.Read(ref requests);

    /// <summary>Bytes of answers without their headers: files and listings.</summary>
    public long BytesSent => Interlocked.Read(ref bytesSent);

    /// <summary>
    /// The used share of the link from the first request for a block volume to the last byte of
    /// one.
    /// </summary>
    public double DataShare =>
        dataBytes == 0
            ? 0
            : dataBytes / link.BytesPerSecond / TimeProvider.System.GetElapsedTime(firstData, lastData).TotalSeconds;

    public async ValueTask DisposeAsync()
    {
        await stop.CancelAsync();
        listener.Dispose();
        await accepting;
        await Task.WhenAll(connections);
        stop.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                Socket connection = await listener.AcceptSocketAsync(stop.Token);
                connections.Add(ServeAsync(connection));
            }
        }
        catch (Exception ended) when (ended is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // The server is closed.
        }
    }

    private async Task ServeAsync(Socket connection)
    {
        using (connection)
        {
            connection.NoDelay = true;
            HttpRequestReader reader = new(connection);
            byte[] piece = new byte[PieceBytes];
            try
            {
                await link.CrossAsync(stop.Token);
                while (await reader.NextAsync(stop.Token) is { } request)
                {
                    Interlocked.Increment(ref requests);
                    if (IsData(request.Name))
                    {
                        Interlocked.CompareExchange(ref firstData, TimeProvider.System.GetTimestamp(), 0);
                    }

                    await link.CrossAsync(stop.Token);
                    await AnswerAsync(connection, request, piece);
                }
            }
            catch (Exception ended) when (ended is OperationCanceledException or SocketException)
            {
                // The client disconnected, or the server is closed.
            }
        }
    }

    private Task AnswerAsync(Socket connection, HttpRequest request, byte[] piece)
    {
        string file = Path.Combine(folder, request.Name);
        return request.Method == "PROPFIND" ? SendListingAsync(connection)
            : File.Exists(file) ? SendFileAsync(connection, file, request, piece)
            : SendHeadAsync(connection, "404 Not Found", 0);
    }

    private async Task SendListingAsync(Socket connection)
    {
        StringBuilder xml = new("""<?xml version="1.0" encoding="utf-8"?><D:multistatus xmlns:D="DAV:">""");
        foreach (FileInfo file in new DirectoryInfo(folder).EnumerateFiles())
        {
            xml.Append(
                CultureInfo.InvariantCulture,
                $"<D:response><D:href>/backup/{Uri.EscapeDataString(file.Name)}</D:href><D:propstat><D:prop>"
            );
            xml.Append(
                CultureInfo.InvariantCulture,
                $"<D:getcontentlength>{file.Length}</D:getcontentlength><D:resourcetype/></D:prop>"
            );
            xml.Append("<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>");
        }

        byte[] body = Encoding.UTF8.GetBytes(xml.Append("</D:multistatus>").ToString());
        await SendHeadAsync(connection, "207 Multi-Status", body.Length);
        await SendAsync(connection, body);
    }

    private async Task SendFileAsync(Socket connection, string path, HttpRequest request, byte[] piece)
    {
        using SafeFileHandle file = File.OpenHandle(path);
        long length = RandomAccess.GetLength(file);
        long from = Math.Min(request.From ?? 0, length);
        long end = Math.Min((request.To ?? (length - 1)) + 1, length);
        string range = string.Create(
            CultureInfo.InvariantCulture,
            $"\r\nContent-Range: bytes {from}-{end - 1}/{length}"
        );
        await SendHeadAsync(connection, request.From is null ? "200 OK" : $"206 Partial Content{range}", end - from);
        while (from < end)
        {
            int count = RandomAccess.Read(file, piece.AsSpan(0, (int)Math.Min(piece.Length, end - from)), from);
            await SendAsync(connection, piece.AsMemory(0, count));
            from += count;
            if (IsData(path))
            {
                Interlocked.Add(ref dataBytes, count);
                Interlocked.Exchange(ref lastData, TimeProvider.System.GetTimestamp());
            }
        }
    }

    private static bool IsData(string name) => name.Contains(".dblock.", StringComparison.Ordinal);

    private async Task SendHeadAsync(Socket connection, string status, long bodyBytes) =>
        await connection.SendAsync(
            Encoding.ASCII.GetBytes(
                string.Create(CultureInfo.InvariantCulture, $"HTTP/1.1 {status}\r\nContent-Length: {bodyBytes}\r\n\r\n")
            ),
            stop.Token
        );

    private async Task SendAsync(Socket connection, ReadOnlyMemory<byte> bytes)
    {
        await link.PassAsync(bytes.Length, stop.Token);
        for (int sent = 0; sent < bytes.Length; )
        {
            sent += await connection.SendAsync(bytes[sent..], stop.Token);
        }

        Interlocked.Add(ref bytesSent, bytes.Length);
    }
}
