using System.Text;
using Restore.Web.Files;

namespace Restore.Web.Dav;

/// <summary>A read-only WebDAV server, class 1: OPTIONS, PROPFIND of a resource and of what is in it, GET and HEAD with ranges.</summary>
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

        DavEntry entry = await tree.FindAsync(Router.RestOf(context), context.RequestAborted).ConfigureAwait(false)
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
            throw new CallException(CallStatus.MethodNotAllowed, "A folder has no content; a WebDAV client can list it");
        }
    }

    private async Task ListAsync(HttpContext context, DavEntry entry)
    {
        string depth = context.Request.Headers["Depth"].ToString();
        if (depth is not ("0" or "1"))
        {
            context.Response.StatusCode = StatusCodes.Status403Forbidden;
            context.Response.ContentType = "application/xml; charset=utf-8";
            await context.Response.WriteAsync("<?xml version=\"1.0\"?><D:error xmlns:D=\"DAV:\"><D:propfind-finite-depth/></D:error>", context.RequestAborted)
                .ConfigureAwait(false);
            return;
        }

        // A failure to read the list is to come before the answer begins.
        IReadOnlyList<DavEntry> children = depth == "1" && entry.IsFolder
            ? await tree.ChildrenOfAsync(entry, context.RequestAborted).ConfigureAwait(false) : [];
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

    /// <summary>Names are only in the address, where each byte that could end it is encoded.</summary>
    private static void Write(StringBuilder text, string root, DavEntry entry)
    {
        text.Append("<D:response><D:href>").Append(root).Append('/');
        text.AppendJoin('/', entry.Path.Select(Uri.EscapeDataString)).Append(entry.IsFolder && entry.Path.Count > 0 ? "/" : "");
        text.Append("</D:href><D:propstat><D:prop>");
        if (entry.Time is DateTimeOffset time)
        {
            text.Append("<D:getlastmodified>").Append(time.ToString("R", CultureInfo.InvariantCulture)).Append("</D:getlastmodified>");
        }

        if (entry.IsFile && entry.Served is ServedEntry served)
        {
            text.Append(CultureInfo.InvariantCulture, $"<D:resourcetype/><D:getcontentlength>{served.Content!.Value.SizeBytes}</D:getcontentlength>");
            text.Append("<D:getcontenttype>application/octet-stream</D:getcontenttype>");
            text.Append("<D:getetag>").Append(served.Tag.Replace("\"", "&quot;", StringComparison.Ordinal)).Append("</D:getetag>");
        }
        else
        {
            text.Append("<D:resourcetype><D:collection/></D:resourcetype>");
        }

        text.Append("</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>\n");
    }
}

/// <summary>The versions as folders: <c>versions</c> has one for each, and <c>latest</c> is the newest. Links, which WebDAV does not know, and names that
/// cannot be a part of an address are left out.</summary>
internal sealed class DavTree(BrowseSession session)
{
    private const string Latest = "latest";
    private const string Versions = "versions";

    private readonly EntryIndex tree = session.Tree;

    /// <summary>Null if there is no such resource.</summary>
    public async Task<DavEntry?> FindAsync(string path, CancellationToken cancellationToken)
    {
        string[] parts = path.Split('/', StringSplitOptions.RemoveEmptyEntries);
        if (parts.Length == 0 || parts is [Versions])
        {
            return new DavEntry(parts, null, null, session.Backup.Versions[0].Time);
        }

        BackupVersion? version = parts[0] == Latest ? session.Backup.Versions[0]
            : parts[0] == Versions ? session.Backup.Versions.Zip(session.Names).FirstOrDefault(pair => pair.Second == parts[1]).First
            : null;
        if (version is null)
        {
            return null;
        }

        string[] below = parts[(parts[0] == Latest ? 1 : 2)..];
        if (below.Length == 0)
        {
            return new DavEntry(parts, null, version, version.Time);
        }

        await session.Lists.ReadAsync(version, cancellationToken).ConfigureAwait(false);
        return NodeOf(below) is TreeId node && ServedEntry.Find(session, version, node) is ServedEntry served
            && served.Content?.Kind != BackupEntryKind.Symlink
            ? new DavEntry(parts, served, version, Times.Of(served.Content) ?? version.Time)
            : null;
    }

    public async Task<IReadOnlyList<DavEntry>> ChildrenOfAsync(DavEntry folder, CancellationToken cancellationToken)
    {
        DateTimeOffset newest = session.Backup.Versions[0].Time;
        if (folder.Version is not BackupVersion version)
        {
            return folder.Path.Count == 0
                ? [new DavEntry([Latest], null, session.Backup.Versions[0], newest), new DavEntry([Versions], null, null, newest)]
                : [.. session.Backup.Versions.Zip(session.Names, (one, name) => new DavEntry([Versions, name], null, one, one.Time))];
        }

        await session.Lists.ReadAsync(version, cancellationToken).ConfigureAwait(false);
        TreeId[] children;
        lock (tree.Gate)
        {
            children = session.Views.ChildrenOf(version.Index, folder.Served?.Node, ListOrder.Name, falls: false);
        }

        List<DavEntry> found = new(children.Length);
        foreach (TreeId[] some in children.Chunk(1000))
        {
            lock (tree.Gate)
            {
                found.AddRange(some.Select(child => ChildOf(folder, version, child)).OfType<DavEntry>());
            }
        }

        return found;
    }

    private DavEntry? ChildOf(DavEntry folder, BackupVersion version, TreeId child)
    {
        string name = tree.Name(child);
        EntryVersion? content = tree.Find(child, version.Index);
        bool isServed = name is not ("" or "." or "..") && !name.Contains('/', StringComparison.Ordinal) && content?.Kind != BackupEntryKind.Symlink;
        return isServed
            ? new DavEntry([.. folder.Path, name], new ServedEntry(version, child, "", content), version, Times.Of(content) ?? version.Time)
            : null;
    }

    private TreeId? NodeOf(string[] names)
    {
        lock (tree.Gate)
        {
            return PathTree.Roots.Select(root => names.Aggregate(
                (TreeId?)root, (folder, name) => folder is TreeId above ? Find(above, name) : null)).FirstOrDefault(node => node is not null);
        }
    }

    /// <summary>A Mac asks for names in its own form of Unicode.</summary>
    private TreeId? Find(TreeId folder, string name)
    {
        TreeId? found = tree.Paths.Find(folder, Encoding.UTF8.GetBytes(name));
        if (found is not null || Ascii.IsValid(name))
        {
            return found;
        }

        string composed = EntryPath.Composed(name).ToString();
        return tree.Paths.ChildrenOf(folder).Select(child => (TreeId?)child)
            .FirstOrDefault(child => EntryPath.Composed(tree.Name(child!.Value)).SequenceEqual(composed));
    }
}

/// <summary>Served is null for folders that no version has, the version is null above all versions, and the time is null if unknown.</summary>
internal sealed record DavEntry(IReadOnlyList<string> Path, ServedEntry? Served, BackupVersion? Version, DateTimeOffset? Time)
{
    public bool IsFolder => Served is null or { IsFolder: true };

    public bool IsFile => Served?.Content?.Kind == BackupEntryKind.File;
}
