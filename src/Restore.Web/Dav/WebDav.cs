using System.Text;
using Restore.Web.Files;

namespace Restore.Web.Dav;

/// <summary>
/// A read-only WebDAV server, class 1: OPTIONS, PROPFIND of a resource and of what is in it, GET
/// and HEAD with ranges.
/// </summary>
internal sealed class WebDav(BrowseSession session)
{
    private const string Methods = "OPTIONS, GET, HEAD, PROPFIND";
    private const int FlushChars = 1 << 16;

    private readonly DavTree tree = new(session);
    private readonly FileAnswer file = new(session);

    public IEnumerable<Route<HttpContext>> Routes() => [new(null, "dav/", HandleAsync)];

    private async Task HandleAsync(HttpContext context)
    {
        HttpResponse response = context.Response;
        string method = context.Request.Method;
        if (method is not ("OPTIONS" or "PROPFIND" or "GET" or "HEAD"))
        {
            response.Headers.Allow = Methods;
            throw new CallException(CallStatus.MethodNotAllowed, "The backup can only be read");
        }

        if (method == "OPTIONS")
        {
            response.Headers.Allow = Methods;
            response.Headers["DAV"] = "1";
            response.Headers["MS-Author-Via"] = "DAV";
            response.ContentLength = 0;
            return;
        }

        DavEntry entry =
            await tree.FindAsync(Router.RestOf(context), context.RequestAborted).ConfigureAwait(false)
            ?? throw new CallException(CallStatus.NotFound, "There is no such file or folder");
        if (method == "PROPFIND")
        {
            await ListAsync(context, entry).ConfigureAwait(false);
        }
        else if (entry.Served is { IsFolder: false } served)
        {
            await file.SendAsync(context, served).ConfigureAwait(false);
        }
        else
        {
            response.Headers.Allow = "OPTIONS, PROPFIND";
            throw new CallException(
                CallStatus.MethodNotAllowed,
                "A folder has no content; a WebDAV client can list it"
            );
        }
    }

    private async Task ListAsync(HttpContext context, DavEntry entry)
    {
        string depth = context.Request.Headers["Depth"].ToString();
        if (depth is not ("0" or "1"))
        {
            context.Response.StatusCode = StatusCodes.Status403Forbidden;
            context.Response.ContentType = "application/xml; charset=utf-8";
            await context
                .Response.WriteAsync(
                    "<?xml version=\"1.0\"?><D:error xmlns:D=\"DAV:\"><D:propfind-finite-depth/></D:error>",
                    context.RequestAborted
                )
                .ConfigureAwait(false);
            return;
        }

        // A failure to read the list is to come before the answer begins.
        IReadOnlyList<DavEntry> children =
            depth == "1" && entry.IsFolder
                ? await tree.ChildrenOfAsync(entry, context.RequestAborted).ConfigureAwait(false)
                : [];
        context.Response.StatusCode = StatusCodes.Status207MultiStatus;
        context.Response.ContentType = "application/xml; charset=utf-8";
        string root = RootOf(context);
        StringBuilder text = new("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<D:multistatus xmlns:D=\"DAV:\">\n");
        foreach (DavEntry one in children.Prepend(entry))
        {
            Write(text, root, one);
            if (text.Length > FlushChars)
            {
                await context.Response.WriteAsync(text.ToString(), context.RequestAborted).ConfigureAwait(false);
                text.Clear();
            }
        }

        text.Append("</D:multistatus>\n");
        await context.Response.WriteAsync(text.ToString(), context.RequestAborted).ConfigureAwait(false);
    }

    /// <summary>The path of the tree at this server, with the token.</summary>
    private static string RootOf(HttpContext context)
    {
        string path = context.Request.Path.Value ?? "";
        return path[..(path.IndexOf("/dav", 1, StringComparison.Ordinal) + "/dav".Length)];
    }

    /// <summary>
    /// Names are only in the address, where each byte that could end it is encoded.
    /// </summary>
    private static void Write(StringBuilder text, string root, DavEntry entry)
    {
        text.Append("<D:response><D:href>").Append(root).Append('/');
        text.AppendJoin('/', entry.Path.Select(Uri.EscapeDataString))
            .Append(entry.IsFolder && entry.Path.Count > 0 ? "/" : "");
        text.Append("</D:href><D:propstat><D:prop>");
        if (entry.Time is DateTimeOffset time)
        {
            text.Append("<D:getlastmodified>")
                .Append(time.ToString("R", CultureInfo.InvariantCulture))
                .Append("</D:getlastmodified>");
        }

        if (entry.IsFile && entry.Served is ServedEntry served)
        {
            text.Append(
                CultureInfo.InvariantCulture,
                $"<D:resourcetype/><D:getcontentlength>{served.Content!.Value.SizeBytes}</D:getcontentlength>"
            );
            text.Append("<D:getcontenttype>application/octet-stream</D:getcontenttype>");
            text.Append("<D:getetag>")
                .Append(served.Tag.Replace("\"", "&quot;", StringComparison.Ordinal))
                .Append("</D:getetag>");
        }
        else
        {
            text.Append("<D:resourcetype><D:collection/></D:resourcetype>");
        }

        text.Append("</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>\n");
    }
}
