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

    private readonly StoreContext context;
    private readonly WebDavConnection connection;

    public WebDavStore(StoreContext context)
    {
        this.context = context;
        connection = new WebDavConnection(context);
    }

    public string DisplayName => context.Url.DisplayName;

    public bool HasRanges => connection.Files.HasRanges;

    public bool IsLocal => false;

    public async IAsyncEnumerable<StoredFile> ListAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        using HttpResponseMessage response =
            await connection.Files.SendAsync(ListRequest, connection.Folder, "listing", cancellationToken).ConfigureAwait(false);
        if (response.StatusCode != HttpStatusCode.MultiStatus)
        {
            throw WebDavFailures.OfListing(response, connection.Files, DisplayName);
        }

        Stream stream = await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
        var body = new ListingBody(stream, context.Transfers, cancellationToken);
        await using (body.ConfigureAwait(false))
        {
            await foreach (StoredFile file in WebDavListing.ReadAsync(body, cancellationToken).ConfigureAwait(false))
            {
                yield return file;
            }
        }
    }

    public ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default) =>
        connection.Files.ReadAsync(connection.UriOf(name), name, offset, destination, cancellationToken);

    public ValueTask DisposeAsync()
    {
        connection.Dispose();
        return ValueTask.CompletedTask;
    }

    private static HttpRequestMessage ListRequest(Uri uri)
    {
        var body = new StringContent(Query, Encoding.UTF8, new MediaTypeHeaderValue("application/xml", "utf-8"));
        var request = new HttpRequestMessage(new HttpMethod("PROPFIND"), uri) { Content = body };
        request.Headers.Add("Depth", "1");
        return request;
    }
}
