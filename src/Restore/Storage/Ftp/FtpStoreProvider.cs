using Restore.Storage.Http;
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

    // Duplicati has two FTP backends; the options with and without the a say how they connect and check uploads.
    public IReadOnlyList<string> IgnoredOptions =>
    [
        "ftp-passive", "ftp-regular", "ftp-data-connection-type", "aftp-data-connection-type", "ftp-ssl-protocols", "aftp-ssl-protocols", "ftp-upload-delay",
        "aftp-upload-delay", "ftp-log-*", "aftp-log-*", "ftp-use-cwd-names", "aftp-use-cwd-names", "disable-upload-verify",
    ];

    public IVolumeStore Open(StoreContext context) => new RcloneStore(context, FtpConnection.Of(context.Url));

    public IVolumeSink OpenSink(StoreContext context) => new RcloneSink(context, FtpConnection.Of(context.Url));
}

internal static class FtpConnection
{
    public static RcloneRemote Of(StoreUrl url)
    {
        RefuseCertificateHash(url);

        // As in Duplicati: the path of ftp:// starts at the login folder, the path of aftp:// at the server's root.
        bool isAbsolute = url.Options.Flag(FtpOptions.AbsolutePath, defaultValue: url.Scheme == "aftp");
        RcloneRemote remote = RcloneRemote.OnServer("ftp", (isAbsolute ? "/" : "") + url.Path.TrimStart('/'), url);
        remote = WithEncryption(remote, url);
        remote = url.Options.Flag(CertificateCheck.AcceptAny) ? remote.With("NO_CHECK_CERTIFICATE", "true") : remote;
        return (url.Username, url.Password) switch
        {
            (_, { } password) => remote.WithSecret("PASS", password),
            (null, null) => remote.With("USER", "anonymous").WithSecret("PASS", "anonymous"),
            _ => remote,
        };
    }

    private static RcloneRemote WithEncryption(RcloneRemote remote, StoreUrl url)
    {
        string mode = url.Options.Text(FtpOptions.EncryptionMode) ?? (url.Options.Flag(FtpOptions.UseTls) ? "explicit" : "none");
        return mode.ToLowerInvariant() switch
        {
            "none" => remote,
            "implicit" => remote.With("TLS", "true"),
            "explicit" => remote.With("EXPLICIT_TLS", "true"),
            _ => throw url.Options.Unusable(FtpOptions.EncryptionMode, "None, Implicit or Explicit"),
        };
    }

    private static void RefuseCertificateHash(StoreUrl url)
    {
        if (url.Options.IsGiven(CertificateCheck.AcceptHash))
        {
            throw new RestoreException(
                RestoreErrorCode.CertificateHashUnsupported,
                $"The option {CertificateCheck.AcceptHash.Name} cannot be used with {url.Scheme}://",
                url.DisplayName);
        }
    }
}

internal static class FtpOptions
{
    public static readonly StoreOption EncryptionMode =
        new("ftp-encryption-mode", "`None`, `Implicit` or `Explicit`") { Default = "None", Aliases = ["aftp-encryption-mode"] };

    public static readonly StoreOption UseTls = new("use-ssl", "the same as `Explicit`") { Kind = StoreOptionKind.Switch, Default = "off" };

    public static readonly StoreOption AbsolutePath = new("ftp-absolute-path", "whether the path starts at the server's root")
    {
        Kind = StoreOptionKind.Switch,
        Default = "off for `ftp://`, on for `aftp://`",
        Aliases = ["aftp-absolute-path"],
    };

    public static readonly IReadOnlyList<StoreOption> All = [EncryptionMode, UseTls, AbsolutePath, CertificateCheck.AcceptAny, .. RcloneOptions.All];
}
