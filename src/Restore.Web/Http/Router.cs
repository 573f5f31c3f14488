namespace Restore.Web.Http;

/// <summary>Finds the route for a request, and turns failures into answers.</summary>
internal sealed class Router(params IEnumerable<Route<HttpContext>>[] routes)
{
    private readonly Route<HttpContext>[] all = [.. routes.SelectMany(some => some)];

    public async Task HandleAsync(HttpContext context, string path)
    {
        Route<HttpContext>[] here = [.. all.Where(route => route.IsAt(path))];
        Route<HttpContext>? route = here.FirstOrDefault(route =>
            route.Method is null || route.Method == context.Request.Method
        );
        if (route is null)
        {
            context.Response.StatusCode =
                here.Length > 0 ? StatusCodes.Status405MethodNotAllowed : StatusCodes.Status404NotFound;
            return;
        }

        context.Items[typeof(Router)] = path.Length > route.Path.Length ? path[route.Path.Length..] : "";
        try
        {
            await route.Handle(context).ConfigureAwait(false);
        }
        catch (Exception failure)
            when (CallException.IsExpected(failure) || context.RequestAborted.IsCancellationRequested)
        {
            await Answer.FailAsync(context, failure).ConfigureAwait(false);
        }
    }

    /// <summary>The routes of calls that need nothing of HTTP.</summary>
    public static IEnumerable<Route<HttpContext>> Over(IEnumerable<Route<BrowseCall>> routes) =>
        routes.Select(route => new Route<HttpContext>(
            route.Method,
            route.Path,
            context => route.Handle(new HttpCall(context))
        ));

    public static string RestOf(HttpContext context) => (string)context.Items[typeof(Router)]!;
}
