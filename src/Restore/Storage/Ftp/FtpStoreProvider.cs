using Restore.Storage.Rclone;

namespace Restore.Storage.Ftp;

/// <summary>Folders on FTP servers, reached by rclone.</summary>
internal sealed class FtpStoreProvider : IStoreProvider
{
    public string Name => "FTP";

    public string Summary => "a folder on an FTP server, by rclone; the path of `aftp` starts at the server's root";

    public IReadOnlyList<string> Schemes => ["ftp", "aftp"];

    public IReadOnlyList<string> Locations => ["ftp://host/folder", "aftp://host/folder"];

    public IReadOnlyList<StoreOption> Options => FtpOptions.All;

    // Duplicati has two FTP backends; the options with and without the a say how they connect and
    // check uploads.
    public IReadOnlyList<string> IgnoredOptions =>
        [
            "ftp-passive",
            "ftp-regular",
            "ftp-data-connection-type",
            "aftp-data-connection-type",
            "ftp-ssl-protocols",
            "aftp-ssl-protocols",
            "ftp-upload-delay",
            "aftp-upload-delay",
            "ftp-log-*",
            "aftp-log-*",
            "ftp-use-cwd-names",
            "aftp-use-cwd-names",
            "disable-upload-verify",
        ];

    public IVolumeStore Open(StoreContext context) => new RcloneStore(context, FtpConnection.Of(context.Url));

    public IVolumeSink OpenSink(StoreContext context) => new RcloneSink(context, FtpConnection.Of(context.Url));
}
