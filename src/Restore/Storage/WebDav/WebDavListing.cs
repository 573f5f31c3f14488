using System.Xml;
using Restore.Storage.Http;

namespace Restore.Storage.WebDav;

/// <summary>Reads the answer to a PROPFIND of depth 1, entry by entry.</summary>
internal static class WebDavListing
{
    /// <summary>Length of a file of which the server does not say how long it is.</summary>
    public const long NoSize = -1;

    private const string Dav = "DAV:";

    public static async IAsyncEnumerable<StoredFile> ReadAsync(
        ListingBody body,
        Action<string>? onFolder = null,
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        using var xml = XmlReader.Create(
            body,
            new XmlReaderSettings
            {
                Async = true,

                // The server is not trusted: a document type could name local files, or expand to
                // any size.
                DtdProcessing = DtdProcessing.Prohibit,
                XmlResolver = null,
                IgnoreComments = true,
                IgnoreProcessingInstructions = true,
                IgnoreWhitespace = true,
            }
        );
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
                entry.SizeBytes = long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long size)
                    ? size
                    : entry.SizeBytes;
                break;
            case "collection":
                entry.IsFolder = true;
                break;
        }
    }

    private static async ValueTask<string> TextAsync(XmlReader xml)
    {
        // Stays on the text of the element: ReadElementContentAsString would step over the start of
        // the next element.
        bool hasText =
            !xml.IsEmptyElement
            && await xml.ReadAsync().ConfigureAwait(false)
            && xml.NodeType is XmlNodeType.Text or XmlNodeType.CDATA;
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

        public long SizeBytes { get; set; } = NoSize;

        public bool IsFolder { get; set; }
    }
}
