using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace Restore.Benchmarks.Fetching;

/// <summary>The parts of a request that the server needs.</summary>
/// <param name="Method">GET or PROPFIND.</param>
/// <param name="Name">The last part of the path.</param>
/// <param name="From">First byte of the range; null without a range.</param>
/// <param name="To">Last byte of the range; null if the range is open.</param>
internal sealed record HttpRequest(string Method, string Name, long? From, long? To)
{
    public static HttpRequest Parse(string head)
    {
        string[] words = head[..head.IndexOf("\r\n", StringComparison.Ordinal)].Split(' ');
        string name = Uri.UnescapeDataString(words[1][(words[1].LastIndexOf('/') + 1)..]);
        string[]? range = Header(head, "Range")?["bytes=".Length..].Split('-');
        return new HttpRequest(words[0], name, Number(range?[0]), Number(range?[1]));
    }

    public static int BodyBytes(string head) => (int)(Number(Header(head, "Content-Length")) ?? 0);

    private static long? Number(string? text) =>
        string.IsNullOrEmpty(text) ? null : long.Parse(text, CultureInfo.InvariantCulture);

    private static string? Header(string head, string name) =>
        head.Split("\r\n")
            .FirstOrDefault(line => line.StartsWith(name + ":", StringComparison.OrdinalIgnoreCase))
            ?[(name.Length + 1)..].Trim();
}

/// <summary>Reads requests from a connection, one after the other.</summary>
internal sealed class HttpRequestReader(Socket connection)
{
    private const int MaxBytes = 64 << 10;

    private readonly byte[] buffer = new byte[MaxBytes];
    private int filled;

    /// <summary>The next request; null at the end of the connection.</summary>
    public async ValueTask<HttpRequest?> NextAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            int end = buffer.AsSpan(0, filled).IndexOf("\r\n\r\n"u8) + 4;
            if (end >= 4)
            {
                string head = Encoding.Latin1.GetString(buffer, 0, end);
                int whole = end + HttpRequest.BodyBytes(head);
                if (filled >= whole)
                {
                    buffer.AsSpan(whole, filled - whole).CopyTo(buffer);
                    filled -= whole;
                    return HttpRequest.Parse(head);
                }
            }

            int count = await connection.ReceiveAsync(buffer.AsMemory(filled), cancellationToken);
            if (count == 0)
            {
                return null;
            }

            filled += count;
        }
    }
}
