using System.Globalization;
using System.Security.Cryptography;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Storage.Servers;

/// <summary>rclone as an SFTP server, which lets in by a password.</summary>
[NeedsPrograms(".ci/install-servers", "rclone", "ssh-keygen")]
public sealed class RcloneSftpServer : StoreServer
{
    private readonly TempFolder own = new();
    private string fingerprint = "";

    public override string Secret => " leading blank, \"quotes\" and €";

    public override IReadOnlyDictionary<string, string> Options =>
        new Dictionary<string, string>
        {
            ["auth-username"] = "backup",
            ["auth-password"] = Secret,
            ["ssh-fingerprint"] = fingerprint,
        };

    public override string UrlOf(string folder, int port) => $"ssh://127.0.0.1:{port}/{folder}";

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        own.Dispose();
    }

    protected override async Task StartAsync()
    {
        string key = Path.Combine(own.Path, "host");
        await ToolAsync("ssh-keygen", "-q", "-t", "rsa", "-b", "2048", "-m", "PEM", "-N", "", "-f", key);
        byte[] blob = Convert.FromBase64String((await File.ReadAllTextAsync(key + ".pub")).Split(' ')[1]);

        // As Duplicati shows and takes it.
        fingerprint =
            "ssh-rsa 2048 "
            + string.Join(':', MD5.HashData(blob).Select(part => part.ToString("x2", CultureInfo.InvariantCulture)));
        await RunAsync(
            "rclone",
            ["serve", "sftp", Root, "--addr", $"127.0.0.1:{Port}", "--key", key, "--dir-cache-time", "0"],
            ("RCLONE_USER", "backup"),
            ("RCLONE_PASS", Secret),
            ("RCLONE_CONFIG", "/dev/null")
        );
    }
}
