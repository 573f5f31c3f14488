using System.Net;
using System.Net.Http.Headers;
using System.Xml;
using Restore.Storage.Http;

namespace Restore.Storage.WebDav;

/// <summary>A folder on a WebDAV server: <c>webdav://</c>, and <c>webdavs://</c> or <c>use-ssl</c> for TLS.</summary>
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

    public async IAsyncEnumerable<StoredFile> ListAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        using HttpResponseMessage response =
            await Connection.Files.SendAsync(ListRequest, Connection.Folder, "listing", cancellationToken).ConfigureAwait(false);
        if (response.StatusCode != HttpStatusCode.MultiStatus)
        {
            throw WebDavFailures.OfListing(response, Connection.Files, DisplayName);
        }

        Stream stream = await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
        var body = new ListingBody(stream, context.Transfers, cancellationToken);
        await using (body.ConfigureAwait(false))
        {
            await foreach (StoredFile file in WebDavListing.ReadAsync(body, TakeFolder, cancellationToken).ConfigureAwait(false))
            {
                yield return file;
            }
        }
    }

    public ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default) =>
        Connection.Files.ReadAsync(Connection.UriOf(name), name, offset, destination, cancellationToken);

    public ValueTask DisposeAsync()
    {
        Connection.Dispose();
        return ValueTask.CompletedTask;
    }

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

/// <summary>Reads the answer to a PROPFIND of depth 1, entry by entry.</summary>
internal static class WebDavListing
{
    private const string Dav = "DAV:";

    public static async IAsyncEnumerable<StoredFile> ReadAsync(
        ListingBody body, Action<string>? onFolder = null, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        using var xml = XmlReader.Create(body, new XmlReaderSettings
        {
            Async = true,
            DtdProcessing = DtdProcessing.Prohibit,
            XmlResolver = null,
            IgnoreComments = true,
            IgnoreProcessingInstructions = true,
            IgnoreWhitespace = true,
        });
        while (await NextResponseAsync(xml).ConfigureAwait(false) is { } entry)
        {
            cancellationToken.ThrowIfCancellationRequested();
            body.EntryDone();
            if (!entry.IsFolder)
            {
                yield return new StoredFile(entry.Name, entry.SizeBytes);
            }
            else
            {
                onFolder?.Invoke(entry.Name);
            }
        }
    }

    private static async ValueTask<Entry?> NextResponseAsync(XmlReader xml)
    {
        try
        {
            var entry = new Entry();
            bool isInside = false;
            while (await xml.ReadAsync().ConfigureAwait(false))
            {
                if (xml.NamespaceURI != Dav)
                {
                    continue;
                }

                bool isResponse = xml.LocalName == "response";
                if (isResponse && (xml.NodeType == XmlNodeType.EndElement || xml.IsEmptyElement))
                {
                    return entry;
                }

                isInside |= isResponse;
                if (isInside && xml.NodeType == XmlNodeType.Element)
                {
                    await TakeAsync(xml, entry).ConfigureAwait(false);
                }
            }

            return null;
        }
        catch (XmlException failure)
        {
            throw new TransientStoreException($"The store's listing is incomplete: {failure.Reason()}", failure);
        }
    }

    private static async ValueTask TakeAsync(XmlReader xml, Entry entry)
    {
        switch (xml.LocalName)
        {
            case "href":
                entry.Name = LastSegment(await TextAsync(xml).ConfigureAwait(false));
                break;
            case "getcontentlength":
                string text = await TextAsync(xml).ConfigureAwait(false);
                entry.SizeBytes = long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long size) ? size : entry.SizeBytes;
                break;
            case "collection":
                entry.IsFolder = true;
                break;
        }
    }

    private static async ValueTask<string> TextAsync(XmlReader xml)
    {
        // Stays on the text of the element: ReadElementContentAsString would step over the start of the next element.
        bool hasText = !xml.IsEmptyElement && await xml.ReadAsync().ConfigureAwait(false) && xml.NodeType is XmlNodeType.Text or XmlNodeType.CDATA;
        return hasText ? (await xml.GetValueAsync().ConfigureAwait(false)).Trim() : "";
    }

    private static string LastSegment(string href)
    {
        string path = href.TrimEnd('/');
        return Uri.UnescapeDataString(path[(path.LastIndexOf('/') + 1)..]);
    }

    private sealed class Entry
    {
        public string Name { get; set; } = "";

        public long SizeBytes { get; set; }

        public bool IsFolder { get; set; }
    }
}
