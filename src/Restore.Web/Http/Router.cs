using Microsoft.AspNetCore.Http;

namespace Restore.Web.Http;

/// <summary>A place of the server.</summary>
/// <param name="Method">The method; null for all.</param>
/// <param name="Path">The path behind the token; if it ends with a separator, all that is below too.</param>
/// <param name="Handle">Answers a request.</param>
internal sealed record Route(string? Method, string Path, Func<HttpContext, Task> Handle);

/// <summary>Finds who answers a request, and turns failures into answers.</summary>
internal sealed class Router(params IEnumerable<Route>[] routes)
{
    private readonly Route[] all = [.. routes.SelectMany(some => some)];

    public async Task HandleAsync(HttpContext context, string path)
    {
        Route[] here = [.. all.Where(route => route.Path == path || (route.Path.EndsWith('/') && $"{path}/".StartsWith(route.Path, StringComparison.Ordinal)))];
        Route? route = here.FirstOrDefault(route => route.Method is null || route.Method == context.Request.Method);
        if (route is null)
        {
            context.Response.StatusCode = here.Length > 0 ? StatusCodes.Status405MethodNotAllowed : StatusCodes.Status404NotFound;
            return;
        }

        context.Items[typeof(Route)] = path.Length > route.Path.Length ? path[route.Path.Length..] : "";
        try
        {
            await route.Handle(context).ConfigureAwait(false);
        }
        catch (Exception failure) when (Answer.IsExpected(failure) || context.RequestAborted.IsCancellationRequested)
        {
            await Answer.FailAsync(context, failure).ConfigureAwait(false);
        }
    }

    /// <summary>The rest of the path behind that of the route.</summary>
    public static string RestOf(HttpContext context) => (string)context.Items[typeof(Route)]!;
}

/// <summary>The files of the page, which are inside of the program.</summary>
internal sealed class PageFiles
{
    private static readonly (string Path, string Name, string Type)[] All =
    [
        ("", "index.html", "text/html; charset=utf-8"),
        ("style.css", "style.css", "text/css; charset=utf-8"),
        ("icon.svg", "icon.svg", "image/svg+xml"),
        .. Scripts("main.js", "dom.js", "server.js", "list.js", "versions.js", "browse.js", "details.js", "restore.js", "progress.js", "health.js"),
    ];

    public IEnumerable<Route> Routes() => All.Select(file => new Route(null, file.Path, context => WriteAsync(context, file.Name, file.Type)));

    private static IEnumerable<(string Path, string Name, string Type)> Scripts(params string[] names) =>
        names.Select(name => (name, name, "text/javascript; charset=utf-8"));

    private static async Task WriteAsync(HttpContext context, string name, string type)
    {
        if (!HttpMethods.IsGet(context.Request.Method) && !HttpMethods.IsHead(context.Request.Method))
        {
            throw new RequestException(StatusCodes.Status405MethodNotAllowed, "The page can only be read");
        }

        Stream file = typeof(PageFiles).Assembly.GetManifestResourceStream($"page/{name}")
            ?? throw new RequestException(StatusCodes.Status404NotFound, $"The program has no {name}");
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
