using System.Net;
using Restore.Storage.Http;

namespace Restore.Storage.WebDav;

/// <summary>
/// Where a WebDAV folder is, and the connection to its server with the credentials that the options
/// give.
/// </summary>
internal sealed class WebDavConnection : IDisposable
{
    public WebDavConnection(StoreContext context)
    {
        StoreUrl url = context.Url;
        bool useTls = url.Scheme == "webdavs" || url.Options.Flag(WebDavOptions.UseTls);
        string path = RemoteNames.EscapePath(url.Path.TrimStart('/'));
        Folder = new Uri($"{(useTls ? "https" : "http")}://{url.HostAndPort}/{path}{(path.Length > 0 ? "/" : "")}");
        var handler = new SocketsHttpHandler { Credentials = Credentials(url), PreAuthenticate = true };
        Files = new HttpFiles(new StoreHttp(handler, url), context);
    }

    public Uri Folder { get; }

    public HttpFiles Files { get; }

    public Uri UriOf(string name) => new(Folder, RemoteNames.EscapePath(name));

    public void Dispose() => Files.Dispose();

    private CredentialCache? Credentials(StoreUrl url)
    {
        if (url.Username is null)
        {
            return null;
        }

        // Bound to this server: credentials in the cache never answer the challenge of another
        // host.
        var root = new Uri(Folder, "/");
        var credential = new NetworkCredential(url.Username, url.Password ?? "");
        var cache = new CredentialCache { { root, "Digest", credential } };
        if (!url.Options.Flag(WebDavOptions.ForceDigest))
        {
            cache.Add(root, "Basic", credential);
        }

        return cache;
    }
}
