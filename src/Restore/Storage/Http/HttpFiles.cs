using System.Net;
using System.Net.Http.Headers;

namespace Restore.Storage.Http;

/// <summary>Files behind an HTTP server: sends requests, follows redirects on the same host, and reads whole files or ranges straight into a buffer.</summary>
internal sealed class HttpFiles : IDisposable
{
    private const int MaxRedirects = 5;

    private readonly HttpClient client;
    private readonly CertificateCheck certificates;
    private readonly TransferReader reader;
    private readonly TimeProvider timeProvider;
    private readonly string where;
    private volatile bool rangesIgnored;

    public HttpFiles(
        SocketsHttpHandler handler, CertificateCheck certificates, TransferReader reader, TimeProvider timeProvider, string where,
        AuthenticationHeaderValue? authorization = null)
    {
        client = NewClient(handler, certificates);
        client.DefaultRequestHeaders.Authorization = authorization;
        (this.certificates, this.reader, this.timeProvider, this.where) = (certificates, reader, timeProvider, where);
    }

    /// <summary>True until the server has answered a range with the whole file.</summary>
    public bool HasRanges => !rangesIgnored;

    /// <summary>A client for any store over HTTP; timeouts are the <see cref="TransferReader"/>'s.</summary>
    /// <param name="handler">Makes the connections.</param>
    /// <param name="certificates">Judges them.</param>
    /// <param name="outer">Stands before the handler, or null.</param>
    public static HttpClient NewClient(SocketsHttpHandler handler, CertificateCheck certificates, DelegatingHandler? outer = null)
    {
        // Compressed answers would make ranges mean something else, and an automatic redirect could leave the host.
        handler.AutomaticDecompression = DecompressionMethods.None;
        handler.AllowAutoRedirect = false;
        handler.UseCookies = false;
        handler.SslOptions.RemoteCertificateValidationCallback = certificates.Accepts;
        HttpMessageHandler first = handler;
        if (outer is not null)
        {
            outer.InnerHandler = handler;
            first = outer;
        }

        return new HttpClient(first) { Timeout = Timeout.InfiniteTimeSpan };
    }

    /// <summary>Sends a request and returns the answer, whatever its status; its body is not read yet.</summary>
    public async Task<HttpResponseMessage> SendAsync(Func<Uri, HttpRequestMessage> makeRequest, Uri uri, string what, CancellationToken cancellationToken)
    {
        for (int hops = 0; hops <= MaxRedirects; hops++)
        {
            HttpResponseMessage response = await SendOnceAsync(makeRequest(uri), what, cancellationToken).ConfigureAwait(false);
            if ((int)response.StatusCode is not (301 or 302 or 307 or 308) || response.Headers.Location is not { } location)
            {
                return response;
            }

            response.Dispose();
            var next = new Uri(uri, location);
            bool sameHost = next.Host.Equals(uri.Host, StringComparison.OrdinalIgnoreCase) && (next.Scheme == uri.Scheme || next.Scheme == Uri.UriSchemeHttps);
            if (!sameHost)
            {
                throw new RestoreException(
                    RestoreErrorKind.Failed, $"The store sends requests on to another host ({next.Scheme}://{next.Host})", where,
                    "If that is right, give its address; credentials are never sent to a host that was not named");
            }

            uri = next;
        }

        throw new IOException($"The store sends requests for {what} in a circle");
    }

    /// <summary>Reads from <paramref name="offset"/> until <paramref name="destination"/> is full or the file ends.</summary>
    public async ValueTask<int> ReadAsync(Uri uri, string name, long offset, Memory<byte> destination, CancellationToken cancellationToken)
    {
        if (destination.IsEmpty)
        {
            return 0;
        }

        using HttpResponseMessage response =
            await SendAsync(address => RangeRequest(address, offset, destination.Length), uri, name, cancellationToken).ConfigureAwait(false);
        if (response.StatusCode == HttpStatusCode.RequestedRangeNotSatisfiable)
        {
            return 0;
        }

        if (!response.IsSuccessStatusCode)
        {
            throw FailureOf(response, name);
        }

        HttpContentHeaders headers = response.Content.Headers;
        var info = new BodyInfo(response.StatusCode == HttpStatusCode.PartialContent, headers.ContentRange, headers.ContentLength);
        rangesIgnored |= !info.IsPartial && (offset > 0 || info.LengthBytes > destination.Length);
        Stream body = await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
        return await reader.ReadAnswerAsync(body, info, name, offset, destination, cancellationToken).ConfigureAwait(false);
    }

    public Exception FailureOf(HttpResponseMessage response, string what) =>
        HttpFailures.OfStatus(response.StatusCode, HttpFailures.RetryAfter(response, timeProvider), what, where);

    public void Dispose() => client.Dispose();

    private async Task<HttpResponseMessage> SendOnceAsync(HttpRequestMessage request, string what, CancellationToken cancellationToken)
    {
        using (request)
        {
            try
            {
                return await reader.WithTimeoutAsync(
                    token => client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, token), what, cancellationToken).ConfigureAwait(false);
            }
            catch (Exception failure) when (failure is HttpRequestException or IOException and not TransientStoreException)
            {
                throw HttpFailures.OfExchange(failure, what, where, certificates);
            }
        }
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
}
