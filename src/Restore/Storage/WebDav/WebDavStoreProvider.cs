using System.Net;
using Restore.Storage.Http;

namespace Restore.Storage.WebDav;

/// <summary>Folders on WebDAV servers.</summary>
internal sealed class WebDavStoreProvider : IStoreProvider
{
    public string Name => "WebDAV";

    public string Summary => "a folder on a WebDAV server; `webdavs` is over TLS";

    public IReadOnlyList<string> Schemes => ["webdav", "webdavs"];

    public IReadOnlyList<string> Locations => ["webdav://host/folder", "webdavs://host/folder"];

    public IReadOnlyList<StoreOption> Options => WebDavOptions.All;

    public IReadOnlyList<string> IgnoredOptions =>
        ["integrated-authentication", "use-extended-propfind", "use-legacy-parsing", "debug-propfind-file", "webdav-*"];

    public IVolumeStore Open(StoreContext context) => new WebDavStore(context);

    public IVolumeSink OpenSink(StoreContext context) => new WebDavSink(context);
}

/// <summary>Where a WebDAV folder is, and the connection to its server with the credentials that the options give.</summary>
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

        // Bound to this server: credentials in the cache never answer the challenge of another host.
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

internal static class WebDavOptions
{
    public static readonly StoreOption UseTls = new("use-ssl", "speaks TLS with `webdav://`, too") { Kind = StoreOptionKind.Switch, Default = "off" };

    public static readonly StoreOption ForceDigest =
        new("force-digest-authentication", "never sends the password itself") { Kind = StoreOptionKind.Switch, Default = "off" };

    public static readonly IReadOnlyList<StoreOption> All = [UseTls, ForceDigest, .. StoreHttp.Options];
}

/// <summary>Maps a WebDAV server's answers to a listing to the exceptions of a restore; reads are plain HTTP.</summary>
internal static class WebDavFailures
{
    public static Exception OfListing(HttpResponseMessage response, HttpFiles files, string where) => response.StatusCode switch
    {
        HttpStatusCode.NotFound or HttpStatusCode.Gone => new RestoreException(
            RestoreErrorCode.RemoteFolderNotFound, "There is no such folder", where),
        HttpStatusCode.OK or HttpStatusCode.MethodNotAllowed or HttpStatusCode.NotImplemented or HttpStatusCode.BadRequest => new RestoreException(
            RestoreErrorCode.NotWebDav, $"The server does not speak WebDAV here (it answered {(int)response.StatusCode} to PROPFIND)", where),
        _ => files.FailureOf(response, "the listing"),
    };
}
