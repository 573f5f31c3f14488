using System.Net;
using System.Net.Http.Headers;
using Restore.Format;
using Restore.Storage.Http;

namespace Restore.Storage.WebDav;

/// <summary>
/// A folder on a WebDAV server: <c>webdav://</c>, and <c>webdavs://</c> or <c>use-ssl</c> for TLS.
/// </summary>
internal sealed class WebDavStore(StoreContext context) : IVolumeStore, IFolderListing
{
    private readonly ListedFolders folders = new();
    private const string Query = """
        <?xml version="1.0" encoding="utf-8"?><D:propfind xmlns:D="DAV:"><D:prop><D:getcontentlength/><D:resourcetype/></D:prop></D:propfind>
        """;

    public WebDavConnection Connection { get; } = new(context);

    public string DisplayName => context.Url.DisplayName;

    public bool HasRanges => Connection.Files.HasRanges;

    public bool IsLocal => false;

    public IReadOnlyCollection<string> ListedFolders => folders.Names;

    public async IAsyncEnumerable<StoredFile> ListAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        using HttpResponseMessage response = await Connection
            .Files.SendAsync(ListRequest, Connection.Folder, "listing", cancellationToken)
            .ConfigureAwait(false);
        if (response.StatusCode != HttpStatusCode.MultiStatus)
        {
            throw WebDavFailures.OfListing(response, Connection.Files, DisplayName);
        }

        List<string> withoutSize = [];
        Stream stream = await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
        var body = new ListingBody(stream, context.Transfers, cancellationToken);
        await using (body.ConfigureAwait(false))
        {
            await foreach (
                StoredFile file in WebDavListing.ReadAsync(body, TakeFolder, cancellationToken).ConfigureAwait(false)
            )
            {
                if (file.SizeBytes != WebDavListing.NoSize)
                {
                    yield return file;
                }
                else if (VolumeName.TryParse(file.Name, out _))
                {
                    withoutSize.Add(file.Name);
                }
                else
                {
                    yield return file with
                    {
                        SizeBytes = 0,
                    };
                }
            }
        }

        foreach (string name in withoutSize)
        {
            yield return new StoredFile(name, await SizeOfAsync(name, cancellationToken).ConfigureAwait(false));
        }
    }

    public ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    ) => Connection.Files.ReadAsync(Connection.UriOf(name), name, offset, destination, cancellationToken);

    public ValueTask DisposeAsync()
    {
        Connection.Dispose();
        return ValueTask.CompletedTask;
    }

    /// <summary>
    /// Asks for the size of a volume that the list has without one. Without it the volume would
    /// pass for an empty one.
    /// </summary>
    private async Task<long> SizeOfAsync(string name, CancellationToken cancellationToken)
    {
        using HttpResponseMessage response = await Connection
            .Files.SendAsync(HeadRequest, Connection.UriOf(name), name, cancellationToken)
            .ConfigureAwait(false);
        return response.IsSuccessStatusCode && response.Content.Headers.ContentLength is long size
            ? size
            : throw new RestoreException(
                RestoreErrorCode.ListingFailed,
                $"The server does not say how long {name} is, neither in its list of files nor when asked for the file",
                DisplayName
            );
    }

    private static HttpRequestMessage HeadRequest(Uri uri) => new(HttpMethod.Head, uri);

    /// <summary>A listing has the folder itself, too.</summary>
    private void TakeFolder(string name)
    {
        if (name != Uri.UnescapeDataString(Connection.Folder.Segments[^1].TrimEnd('/')))
        {
            folders.Add(name);
        }
    }

    private static HttpRequestMessage ListRequest(Uri uri)
    {
        var body = new StringContent(Query, Encoding.UTF8, new MediaTypeHeaderValue("application/xml", "utf-8"));
        var request = new HttpRequestMessage(new HttpMethod("PROPFIND"), uri) { Content = body };
        request.Headers.Add("Depth", "1");
        return request;
    }
}
