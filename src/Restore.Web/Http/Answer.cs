using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Restore.Web.Http;

internal sealed class RequestException(int status, string message) : Exception(message)
{
    public int Status => status;
}

internal static class Answer
{
    public static async Task WriteAsync<T>(HttpContext context, T value, JsonTypeInfo<T> type)
    {
        context.Response.ContentType = "application/json; charset=utf-8";
        await JsonSerializer.SerializeAsync(context.Response.Body, value, type, context.RequestAborted).ConfigureAwait(false);
    }

    public static async Task<T> ReadAsync<T>(HttpContext context, JsonTypeInfo<T> type)
    {
        try
        {
            return await JsonSerializer.DeserializeAsync(context.Request.Body, type, context.RequestAborted).ConfigureAwait(false)
                ?? throw new RequestException(StatusCodes.Status400BadRequest, "The request is empty");
        }
        catch (JsonException)
        {
            throw new RequestException(StatusCodes.Status400BadRequest, "The request is not JSON of the expected form");
        }
    }

    public static Task RefuseAsync(HttpContext context, int status, string message)
    {
        context.Response.StatusCode = status;
        return WriteAsync(context, new ErrorAnswer(message), WebJson.Default.ErrorAnswer);
    }

    public static bool IsExpected(Exception failure) =>
        failure is RequestException or RestoreException or IOException or OperationCanceledException or UnauthorizedAccessException;

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
        int status = failure is RequestException request ? request.Status
            : failure is RestoreException { Kind: RestoreErrorKind.NotFound } ? StatusCodes.Status404NotFound
            : StatusCodes.Status500InternalServerError;
        await RefuseAsync(context, status, failure.Message).ConfigureAwait(false);
    }
}

internal static class Query
{
    public static string Text(HttpContext context, string name, int longest = 1000)
    {
        string text = context.Request.Query[name].ToString();
        return text.Length <= longest ? text : throw new RequestException(StatusCodes.Status400BadRequest, $"'{name}' is too long");
    }

    public static int Number(HttpContext context, string name, int limit = int.MaxValue, int? absent = null)
    {
        string text = context.Request.Query[name].ToString();
        return text.Length == 0 && absent is int number ? number
            : int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int value) && value <= limit ? value
            : throw new RequestException(StatusCodes.Status400BadRequest, $"'{name}' is not a number from 0 to {limit}");
    }

    public static BackupVersion Version(HttpContext context, Backup backup, string name = "version")
    {
        int index = Number(context, name);
        return backup.Versions.FirstOrDefault(version => version.Index == index)
            ?? throw new RequestException(StatusCodes.Status404NotFound, $"There is no version {index}");
    }
}

/// <summary>The method is null for all; a path that ends with a separator includes all paths below.</summary>
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
        .. Scripts("main.js", "dom.js", "server.js", "list.js", "versions.js", "browse.js", "details.js", "restore.js", "job.js", "issues.js", "targets.js",
            "progress.js", "health.js"),
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
