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
