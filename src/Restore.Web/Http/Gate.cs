using System.Net;
using System.Security.Cryptography;
using System.Text;
using Microsoft.Extensions.Primitives;

namespace Restore.Web.Http;

/// <summary>
/// Lets in clients that know the token. Another web page in the same browser is kept out in four
/// ways: it does not know the token, a name of its own that resolves to this machine is not a Host
/// of this server, its requests have another Origin, and its frames are refused. No answer may be
/// kept or be read as anything else than its type.
/// </summary>
internal sealed class Gate(string token, Router routes, TimeProvider clock)
{
    private const string OpenPath = "/open/";
    private const string CodeIsOver =
        "This address works once and for five minutes: open the address that the program printed. If nobody here opened it, "
        + "another user of this machine did: end the program and start it again";

    private static readonly TimeSpan CodeTime = TimeSpan.FromMinutes(5);

    /// <summary>
    /// Scripts, styles and pictures of this server alone; sound and video only from the bytes that
    /// the page has read; strings never become markup (Trusted Types).
    /// </summary>
    private const string Policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src blob:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

    private const string WithoutToken =
        "The address lacks the token, or has an old one: open the whole address that the program printed. Each start of the program makes a new one";

    private readonly byte[] tokenBytes = Encoding.UTF8.GetBytes(token);
    private readonly Lock gate = new();
    private (string Code, long Made)? open;

    /// <summary>Makes the code that leads to the page once.</summary>
    public string MakeCode()
    {
        string code = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(16));
        lock (gate)
        {
            open = (code, clock.GetTimestamp());
        }

        return code;
    }

    public async Task HandleAsync(HttpContext context)
    {
        SetHeaders(context.Response.Headers);
        if (!IsOurHost(context.Request.Host.Host))
        {
            context.Response.StatusCode = StatusCodes.Status404NotFound;
            return;
        }

        if (
            context.Request.Path.Value?.StartsWith(OpenPath, StringComparison.Ordinal) == true
            && HttpMethods.IsGet(context.Request.Method)
        )
        {
            await OpenAsync(context, context.Request.Path.Value[OpenPath.Length..]).ConfigureAwait(false);
            return;
        }

        if (PathBehindToken(context.Request.Path.Value ?? "") is not string path)
        {
            context.Response.StatusCode = StatusCodes.Status404NotFound;
            context.Response.ContentType = "text/plain; charset=utf-8";
            await context.Response.WriteAsync(WithoutToken, context.RequestAborted).ConfigureAwait(false);
            return;
        }

        if (!IsOurOrigin(context.Request))
        {
            await Answer
                .RefuseAsync(context, StatusCodes.Status403Forbidden, "The request comes from another page")
                .ConfigureAwait(false);
            return;
        }

        if (path.Length == 0 && !context.Request.Path.Value!.EndsWith('/'))
        {
            // All addresses of the page are relative to this one.
            context.Response.StatusCode = StatusCodes.Status308PermanentRedirect;
            context.Response.Headers.Location = $"/{token}/";
            return;
        }

        await routes.HandleAsync(context, path).ConfigureAwait(false);
    }

    private async Task OpenAsync(HttpContext context, string given)
    {
        (string Code, long Made)? known;
        lock (gate)
        {
            bool isRight =
                open is { } one
                && CryptographicOperations.FixedTimeEquals(
                    Encoding.UTF8.GetBytes(given),
                    Encoding.UTF8.GetBytes(one.Code)
                );
            known = isRight ? open : null;
            open = isRight ? null : open;
        }

        if (known is { } right && clock.GetElapsedTime(right.Made) < CodeTime && IsOurOrigin(context.Request))
        {
            context.Response.StatusCode = StatusCodes.Status302Found;
            context.Response.Headers.Location = $"/{token}/";
            return;
        }

        context.Response.StatusCode = StatusCodes.Status404NotFound;
        context.Response.ContentType = "text/plain; charset=utf-8";
        await context.Response.WriteAsync(CodeIsOver, context.RequestAborted).ConfigureAwait(false);
    }

    private static void SetHeaders(IHeaderDictionary headers)
    {
        headers.ContentSecurityPolicy = Policy;
        headers.XContentTypeOptions = "nosniff";
        headers.XFrameOptions = "DENY";
        headers.CacheControl = "no-store";
        headers["Referrer-Policy"] = "no-referrer";
        headers["Cross-Origin-Opener-Policy"] = "same-origin";
        headers["Cross-Origin-Resource-Policy"] = "same-origin";
    }

    /// <summary>The port may differ: a tunnel to this machine has its own.</summary>
    private static bool IsOurHost(string host) =>
        host.Equals("localhost", StringComparison.OrdinalIgnoreCase)
        || (IPAddress.TryParse(host, out IPAddress? address) && IPAddress.IsLoopback(address));

    /// <summary>
    /// Programs send no Origin. A browser sends it with all requests that change something, and
    /// where a request comes from with all.
    /// </summary>
    private static bool IsOurOrigin(HttpRequest request)
    {
        StringValues origin = request.Headers.Origin;
        StringValues site = request.Headers["Sec-Fetch-Site"];
        return (origin.Count == 0 || origin == $"{request.Scheme}://{request.Host.Value}")
            && (site.Count == 0 || site == "same-origin" || site == "none")
            && (HttpMethods.IsGet(request.Method) || !HttpMethods.IsPost(request.Method) || origin.Count == 1);
    }

    /// <summary>The path after the token; null if the token is missing or wrong.</summary>
    private string? PathBehindToken(string path)
    {
        int end = path.IndexOf('/', Math.Min(1, path.Length));
        string given =
            path.Length == 0 ? ""
            : end < 0 ? path[1..]
            : path[1..end];
        return CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(given), tokenBytes)
            ? (end < 0 ? "" : path[(end + 1)..])
            : null;
    }
}
