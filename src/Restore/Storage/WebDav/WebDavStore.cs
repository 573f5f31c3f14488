using System.Net;
using System.Net.Http.Headers;
using System.Runtime.CompilerServices;
using System.Text;
using Restore.Storage.Http;

namespace Restore.Storage.WebDav;

/// <summary>A folder on a WebDAV server: <c>webdav://</c>, and <c>webdavs://</c> or <c>use-ssl</c> for TLS.</summary>
internal sealed class WebDavStore : IVolumeStore
{
    private const string Query = """
        <?xml version="1.0" encoding="utf-8"?><D:propfind xmlns:D="DAV:"><D:prop><D:getcontentlength/><D:resourcetype/></D:prop></D:propfind>
        """;

    private readonly Uri folder;
    private readonly TransferReader reader;
    private readonly HttpFiles files;

    public WebDavStore(StoreUrl url, TransferSettings settings, TimeProvider timeProvider)
    {
        bool useTls = url.Scheme == "webdavs" || url.Options.Flag("use-ssl");
        string path = RemoteNames.EscapePath(url.Path.TrimStart('/'));
        folder = new Uri($"{(useTls ? "https" : "http")}://{url.HostAndPort}/{path}{(path.Length > 0 ? "/" : "")}");
        DisplayName = url.DisplayName;
        reader = new TransferReader(settings, timeProvider);
        var handler = new SocketsHttpHandler { Credentials = Credentials(url), PreAuthenticate = true };
        files = new HttpFiles(handler, new CertificateCheck(url.Options), reader, timeProvider, DisplayName);
    }

    public string DisplayName { get; }

    public bool HasRanges => files.HasRanges;

    public bool IsLocal => false;

    public async IAsyncEnumerable<StoredFile> ListAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        using HttpResponseMessage response = await files.SendAsync(ListRequest, folder, "listing", cancellationToken).ConfigureAwait(false);
        if (response.StatusCode != HttpStatusCode.MultiStatus)
        {
            throw ListFailure(response);
        }

        Stream stream = await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
        var body = new ListingBody(stream, reader, cancellationToken);
        await using (body.ConfigureAwait(false))
        {
            await foreach (StoredFile file in WebDavListing.ReadAsync(body, cancellationToken).ConfigureAwait(false))
            {
                yield return file;
            }
        }
    }

    public ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default) =>
        files.ReadAsync(new Uri(folder, RemoteNames.EscapePath(name)), name, offset, destination, cancellationToken);

    public ValueTask DisposeAsync()
    {
        files.Dispose();
        return ValueTask.CompletedTask;
    }

    private static HttpRequestMessage ListRequest(Uri uri)
    {
        var body = new StringContent(Query, Encoding.UTF8, new MediaTypeHeaderValue("application/xml", "utf-8"));
        var request = new HttpRequestMessage(new HttpMethod("PROPFIND"), uri) { Content = body };
        request.Headers.Add("Depth", "1");
        return request;
    }

    private Exception ListFailure(HttpResponseMessage response) => response.StatusCode switch
    {
        HttpStatusCode.NotFound or HttpStatusCode.Gone => new RestoreException(
            RestoreErrorKind.NotFound, "There is no such folder", DisplayName, "Check the path after the server's name"),
        HttpStatusCode.OK or HttpStatusCode.MethodNotAllowed or HttpStatusCode.NotImplemented or HttpStatusCode.BadRequest => new RestoreException(
            RestoreErrorKind.Failed, $"The server does not speak WebDAV here (it answered {(int)response.StatusCode} to PROPFIND)", DisplayName,
            "Check the path after the server's name, and whether it needs webdavs://"),
        _ => files.FailureOf(response, "the listing"),
    };

    private CredentialCache? Credentials(StoreUrl url)
    {
        if (url.Username is null)
        {
            return null;
        }

        // Bound to this server: a cache answers no other host's challenge.
        var root = new Uri(folder, "/");
        var credential = new NetworkCredential(url.Username, url.Password ?? "");
        var cache = new CredentialCache { { root, "Digest", credential } };
        if (!url.Options.Flag("force-digest-authentication"))
        {
            cache.Add(root, "Basic", credential);
        }

        return cache;
    }
}
