using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Restore.Web.Http;

internal static class Answer
{
    public static Task RefuseAsync(HttpContext context, int status, string message)
    {
        context.Response.StatusCode = status;
        return new HttpCall(context).WriteAsync(new ErrorAnswer(message), WebJson.Default.ErrorAnswer);
    }

    /// <summary>Reports the failure, or aborts an answer that has begun: its reader must not take it for whole.</summary>
    public static async Task FailAsync(HttpContext context, Exception failure)
    {
        if (context.Response.HasStarted || failure is OperationCanceledException)
        {
            context.Abort();
            return;
        }

        // The length and the type of what could not be sent.
        context.Response.Headers.ContentLength = null;
        context.Response.Headers.Remove("Content-Disposition");
        context.Response.Headers.Remove("Content-Range");
        await RefuseAsync(context, CallStatus.Of(failure), failure.Message).ConfigureAwait(false);
    }
}

/// <summary>A call of the page over HTTP.</summary>
internal sealed class HttpCall(HttpContext context) : BrowseCall
{
    public override CancellationToken Aborted => context.RequestAborted;

    public override string ValueOf(string name) => context.Request.Query[name].ToString();

    public override async Task<T> ReadAsync<T>(JsonTypeInfo<T> type)
    {
        try
        {
            return await JsonSerializer.DeserializeAsync(context.Request.Body, type, context.RequestAborted).ConfigureAwait(false)
                ?? throw new CallException(CallStatus.BadRequest, "The request is empty");
        }
        catch (JsonException)
        {
            throw new CallException(CallStatus.BadRequest, "The request is not JSON of the expected form");
        }
    }

    public override async Task WriteAsync<T>(T value, JsonTypeInfo<T> type)
    {
        context.Response.ContentType = "application/json; charset=utf-8";
        await JsonSerializer.SerializeAsync(context.Response.Body, value, type, context.RequestAborted).ConfigureAwait(false);
    }
}

/// <summary>Finds who answers a request, and turns failures into answers.</summary>
internal sealed class Router(params IEnumerable<Route<HttpContext>>[] routes)
{
    private readonly Route<HttpContext>[] all = [.. routes.SelectMany(some => some)];

    public async Task HandleAsync(HttpContext context, string path)
    {
        Route<HttpContext>[] here = [.. all.Where(route => route.IsAt(path))];
        Route<HttpContext>? route = here.FirstOrDefault(route => route.Method is null || route.Method == context.Request.Method);
        if (route is null)
        {
            context.Response.StatusCode = here.Length > 0 ? StatusCodes.Status405MethodNotAllowed : StatusCodes.Status404NotFound;
            return;
        }

        context.Items[typeof(Router)] = path.Length > route.Path.Length ? path[route.Path.Length..] : "";
        try
        {
            await route.Handle(context).ConfigureAwait(false);
        }
        catch (Exception failure) when (CallException.IsExpected(failure) || context.RequestAborted.IsCancellationRequested)
        {
            await Answer.FailAsync(context, failure).ConfigureAwait(false);
        }
    }

    /// <summary>The routes of calls that need nothing of HTTP.</summary>
    public static IEnumerable<Route<HttpContext>> Over(IEnumerable<Route<BrowseCall>> routes) =>
        routes.Select(route => new Route<HttpContext>(route.Method, route.Path, context => route.Handle(new HttpCall(context))));

    public static string RestOf(HttpContext context) => (string)context.Items[typeof(Router)]!;
}

/// <summary>The files of the page, which are inside of the program.</summary>
internal sealed class PageFiles
{
    private static readonly (string Path, string Name, string Type)[] All =
    [
        ("", "index.html", "text/html; charset=utf-8"),
        ("style.css", "style.css", "text/css; charset=utf-8"),
        ("icon.svg", "icon.svg", "image/svg+xml"),
        .. Scripts("main.js", "dom.js", "server.js", "list.js", "versions.js", "browse.js", "details.js", "restore.js", "job.js", "issues.js", "targets.js",
            "progress.js", "health.js"),
    ];

    public IEnumerable<Route<HttpContext>> Routes() => All.Select(
        file => new Route<HttpContext>(null, file.Path, context => WriteAsync(context, file.Name, file.Type)));

    private static IEnumerable<(string Path, string Name, string Type)> Scripts(params string[] names) =>
        names.Select(name => (name, name, "text/javascript; charset=utf-8"));

    private static async Task WriteAsync(HttpContext context, string name, string type)
    {
        if (!HttpMethods.IsGet(context.Request.Method) && !HttpMethods.IsHead(context.Request.Method))
        {
            throw new CallException(CallStatus.MethodNotAllowed, "The page can only be read");
        }

        Stream file = typeof(PageFiles).Assembly.GetManifestResourceStream($"page/{name}")
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
