using Restore.Tests.Support.Machine;

namespace Restore.Tests.Storage.Servers;

/// <summary>
/// rclone as a WebDAV server, over TLS with a certificate that nobody has signed.
/// </summary>
[NeedsPrograms(".ci/install-servers", "rclone")]
public sealed class RcloneWebDavServer : StoreServer
{
    private readonly TestCertificate certificate = new();
    private readonly TempFolder own = new();

    public override string Secret => "rclone-dav-secret";

    public override IReadOnlyDictionary<string, string> Options =>
        new Dictionary<string, string>
        {
            ["auth-username"] = "backup",
            ["auth-password"] = Secret,
            ["accept-specified-ssl-hash"] = certificate.Sha1,
        };

    public string CertificateHash => certificate.Sha1;

    public override string UrlOf(string folder, int port) => $"webdavs://localhost:{port}/{folder}";

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        certificate.Dispose();
        own.Dispose();
    }

    protected override Task StartAsync()
    {
        certificate.Save(own.Path);
        return RunAsync(
            "rclone",
            [
                "serve",
                "webdav",
                Root,
                "--addr",
                $"127.0.0.1:{Port}",
                "--dir-cache-time",
                "0",
                "--cert",
                Path.Combine(own.Path, "cert.pem"),
                "--key",
                Path.Combine(own.Path, "key.pem"),
            ],
            ("RCLONE_USER", "backup"),
            ("RCLONE_PASS", Secret),
            ("RCLONE_CONFIG", "/dev/null")
        );
    }
}
