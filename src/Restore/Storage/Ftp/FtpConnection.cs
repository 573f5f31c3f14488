using Restore.Storage.Http;
using Restore.Storage.Rclone;

namespace Restore.Storage.Ftp;

internal static class FtpConnection
{
    public static RcloneRemote Of(StoreUrl url)
    {
        RefuseCertificateHash(url);

        // As in Duplicati: the path of ftp:// starts at the login folder, the path of aftp:// at
        // the server's root.
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
        string mode =
            url.Options.Text(FtpOptions.EncryptionMode) ?? (url.Options.Flag(FtpOptions.UseTls) ? "explicit" : "none");
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
                url.DisplayName
            );
        }
    }
}
