using Restore.Storage.Local;
using Restore.Storage.Rclone;
using Restore.Storage.S3;
using Restore.Storage.WebDav;

namespace Restore.Storage;

/// <summary>Opens the store that a location names. Nothing is asked of it yet.</summary>
internal static class StoreFactory
{
    /// <param name="location">A path, or a URL as Duplicati spells it.</param>
    /// <param name="storeOptions">Options by Duplicati's names, without the dashes; those in the URL's query go before them.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <returns>The store, with its retries; it counts what goes over the wire.</returns>
    /// <exception cref="RestoreException">The location or an option cannot be used.</exception>
    public static MeteredStore Open(string location, IReadOnlyDictionary<string, string> storeOptions, TimeProvider timeProvider)
    {
        if (LocalFolderStore.TryParseLocation(location, out string path))
        {
            return new MeteredStore(new LocalFolderStore(path));
        }

        if (!StoreUrl.HasScheme(location))
        {
            throw new RestoreException(RestoreErrorKind.Usage, "The location of the backup is neither a path nor a URL", location);
        }

        StoreUrl url = StoreUrl.Parse(location, storeOptions);
        TransferSettings settings = TransferSettings.From(url.Options);
        var wire = new MeteredStore(OpenRemote(url, settings, timeProvider));
        return new MeteredStore(new RetryingStore(wire, settings, timeProvider), wire) { BytesPerSecond = settings.BytesPerSecond };
    }

    private static IVolumeStore OpenRemote(StoreUrl url, TransferSettings settings, TimeProvider timeProvider) => url.Scheme switch
    {
        "s3" => new S3Store(url, settings, timeProvider),
        "webdav" or "webdavs" => new WebDavStore(url, settings, timeProvider),
        "rclone" or "ssh" or "ftp" or "aftp" => new RcloneStore(url, settings, timeProvider),
        _ => throw new RestoreException(
            RestoreErrorKind.Usage, $"There is no store for {url.Scheme}:// URLs", null,
            "Make an rclone remote for it with 'rclone config', and give rclone://remote/folder; own are file, s3, webdav, webdavs, ssh, ftp, aftp and rclone"),
    };
}
