namespace Restore.Web.Http;

/// <summary>The files of the page, which are inside of the program.</summary>
internal sealed class PageFiles
{
    private static readonly (string Path, string Name, string Type)[] All =
    [
        ("", "index.html", "text/html; charset=utf-8"),
        ("style.css", "style.css", "text/css; charset=utf-8"),
        ("icon.svg", "icon.svg", "image/svg+xml"),
        .. Scripts(
            "main.js",
            "keys.js",
            "history.js",
            "losses.js",
            "verdicts.js",
            "preview.js",
            "documents.js",
            "large.js",
            "lines.js",
            "thumbnails.js",
            "compare.js",
            "dom.js",
            "server.js",
            "list.js",
            "versions.js",
            "browse.js",
            "details.js",
            "restore.js",
            "job.js",
            "issues.js",
            "targets.js",
            "progress.js",
            "health.js"
        ),
    ];

    public IEnumerable<Route<HttpContext>> Routes() =>
        All.Select(file => new Route<HttpContext>(
            null,
            file.Path,
            context => WriteAsync(context, file.Name, file.Type)
        ));

    private static IEnumerable<(string Path, string Name, string Type)> Scripts(params string[] names) =>
        names.Select(name => (name, name, "text/javascript; charset=utf-8"));

    private static async Task WriteAsync(HttpContext context, string name, string type)
    {
        if (!HttpMethods.IsGet(context.Request.Method) && !HttpMethods.IsHead(context.Request.Method))
        {
            throw new CallException(CallStatus.MethodNotAllowed, "The page can only be read");
        }

        Stream file =
            typeof(PageFiles).Assembly.GetManifestResourceStream($"page/{name}")
            ?? throw new CallException(CallStatus.NotFound, $"The program has no {name}");
        await using (file.ConfigureAwait(false))
        {
            context.Response.ContentType = type;
            context.Response.ContentLength = file.Length;
            if (HttpMethods.IsGet(context.Request.Method))
            {
                await file.CopyToAsync(context.Response.Body, context.RequestAborted).ConfigureAwait(false);
            }
        }
    }
}
