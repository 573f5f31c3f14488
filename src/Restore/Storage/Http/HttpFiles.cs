using System.Net;
using System.Net.Http.Headers;

namespace Restore.Storage.Http;

/// <summary>
/// Files behind an HTTP server: sends requests, follows redirects on the same host, reads whole
/// files or ranges straight into a buffer, and sends files from memory.
/// </summary>
internal sealed class HttpFiles : IDisposable
{
    private const int MaxRedirects = 5;

    private readonly StoreHttp http;
    private readonly StoreTransfers transfers;
    private readonly TimeProvider timeProvider;
    private readonly string where;
    private volatile bool rangesIgnored;

    private delegate Task<HttpResponseMessage> Exchange(
        HttpRequestMessage request,
        string what,
        CancellationToken cancellationToken
    );

    public HttpFiles(StoreHttp http, StoreContext context)
    {
        (this.http, transfers, timeProvider, where) = (
            http,
            context.Transfers,
            context.TimeProvider,
            context.Url.DisplayName
        );
    }

    /// <summary>True until the server has answered a range with the whole file.</summary>
    public bool HasRanges => !rangesIgnored;

    /// <summary>
    /// Sends a request and returns the answer, whatever its status, with its body unread.
    /// </summary>
    public Task<HttpResponseMessage> SendAsync(
        Func<Uri, HttpRequestMessage> makeRequest,
        Uri uri,
        string what,
        CancellationToken cancellationToken
    ) => FollowAsync(makeRequest, uri, what, AnswerAsync, cancellationToken);

    /// <summary>Sends a file from memory and returns the answer, whatever its status.</summary>
    public Task<HttpResponseMessage> PutAsync(
        Uri uri,
        string name,
        ReadOnlyMemory<byte> content,
        CancellationToken cancellationToken
    ) =>
        transfers.SendBodyAsync(
            content,
            name,
            (body, token) => FollowAsync(address => PutRequest(address, body), uri, name, SendAsync, token),
            cancellationToken
        );

    private async Task<HttpResponseMessage> FollowAsync(
        Func<Uri, HttpRequestMessage> makeRequest,
        Uri uri,
        string what,
        Exchange exchange,
        CancellationToken cancellationToken
    )
    {
        for (int hops = 0; hops <= MaxRedirects; hops++)
        {
            HttpResponseMessage response = await SendOnceAsync(makeRequest(uri), what, exchange, cancellationToken)
                .ConfigureAwait(false);
            if (
                (int)response.StatusCode is not (301 or 302 or 307 or 308)
                || response.Headers.Location is not { } location
            )
            {
                return response;
            }

            response.Dispose();
            var next = new Uri(uri, location);

            // Redirects are followed here and not by the client, because a request has credentials:
            // they go to the same host only, and not from TLS to plain text.
            bool sameHost =
                next.Host.Equals(uri.Host, StringComparison.OrdinalIgnoreCase)
                && (next.Scheme == uri.Scheme || next.Scheme == Uri.UriSchemeHttps);
            if (!sameHost)
            {
                throw new RestoreException(
                    RestoreErrorCode.RedirectRefused,
                    $"The store redirects to another host ({next.Scheme}://{next.Host})",
                    where
                );
            }

            uri = next;
        }

        throw new IOException($"The store redirects requests for {what} in a circle");
    }

    /// <summary>
    /// Reads from <paramref name="offset"/> until <paramref name="destination"/> is full or the
    /// file ends.
    /// </summary>
    public async ValueTask<int> ReadAsync(
        Uri uri,
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken
    )
    {
        if (destination.IsEmpty)
        {
            return 0;
        }

        using HttpResponseMessage response = await SendAsync(
                address => RangeRequest(address, offset, destination.Length),
                uri,
                name,
                cancellationToken
            )
            .ConfigureAwait(false);

        // The range begins after the end of the file.
        if (response.StatusCode == HttpStatusCode.RequestedRangeNotSatisfiable)
        {
            return 0;
        }

        if (!response.IsSuccessStatusCode)
        {
            throw FailureOf(response, name);
        }

        HttpContentHeaders headers = response.Content.Headers;
        var answer = new RangeAnswer(
            response.StatusCode == HttpStatusCode.PartialContent,
            headers.ContentRange?.From,
            headers.ContentRange?.Length,
            headers.ContentLength
        );

        // A whole file in answer to a range that covers all of it proves nothing: any server may
        // answer so.
        rangesIgnored |= !answer.IsPartial && (offset > 0 || answer.BodyBytes > destination.Length);
        Stream body = await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
        return await transfers
            .ReadBodyAsync(body, answer, name, offset, destination, cancellationToken)
            .ConfigureAwait(false);
    }

    public Exception FailureOf(HttpResponseMessage response, string what) =>
        http.FailureOf(response.StatusCode, what, HttpFailures.RetryAfter(response, timeProvider));

    public void Dispose() => http.Dispose();

    private async Task<HttpResponseMessage> SendOnceAsync(
        HttpRequestMessage request,
        string what,
        Exchange exchange,
        CancellationToken cancellationToken
    )
    {
        using (request)
        {
            try
            {
                return await exchange(request, what, cancellationToken).ConfigureAwait(false);
            }
            catch (Exception failure)
                when (failure is HttpRequestException or IOException and not TransientStoreException)
            {
                throw http.FailureOf(failure, what);
            }
        }
    }

    private Task<HttpResponseMessage> AnswerAsync(
        HttpRequestMessage request,
        string what,
        CancellationToken cancellationToken
    ) => transfers.WithTimeoutAsync(token => SendAsync(request, what, token), what, cancellationToken);

    private Task<HttpResponseMessage> SendAsync(
        HttpRequestMessage request,
        string what,
        CancellationToken cancellationToken
    ) => http.Client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancellationToken);

    private static HttpRequestMessage PutRequest(Uri uri, Stream body)
    {
        body.Position = 0;
        var request = new HttpRequestMessage(HttpMethod.Put, uri) { Content = new BodyOnly(body) };
        request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/octet-stream");

        // A server that wants credentials says so before it gets the file.
        request.Headers.ExpectContinue = true;
        return request;
    }

    private HttpRequestMessage RangeRequest(Uri uri, long offset, int length)
    {
        var request = new HttpRequestMessage(HttpMethod.Get, uri);
        if (HasRanges)
        {
            request.Headers.Range = new RangeHeaderValue(offset, offset + length - 1);
        }

        return request;
    }

    /// <summary>
    /// A body that belongs to the caller: the request ends before it, and a redirect needs it
    /// again.
    /// </summary>
    private sealed class BodyOnly(Stream body) : HttpContent
    {
        protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
            SerializeToStreamAsync(stream, context, CancellationToken.None);

        protected override Task SerializeToStreamAsync(
            Stream stream,
            TransportContext? context,
            CancellationToken cancellationToken
        )
        {
            body.Position = 0;
            return body.CopyToAsync(stream, cancellationToken);
        }

        protected override bool TryComputeLength(out long length)
        {
            length = body.Length;
            return true;
        }
    }
}
