using Restore.Tests.Support.Machine;

namespace Restore.Tests.Storage.Servers;

/// <summary>OpenSSH's server, which lets in the user who runs the tests, by a key.</summary>
[NeedsPrograms(".ci/install-servers", "sshd", "ssh-keygen")]
public sealed class SshServer : StoreServer
{
    private readonly TempFolder own = new();

    /// <summary>
    /// The fingerprint of one key of the server: there are an ecdsa key and an ed25519 key.
    /// </summary>
    public string Fingerprint { get; private set; } = "";

    public string Ed25519Fingerprint { get; private set; } = "";

    /// <summary>
    /// The line of the ed25519 key for a known_hosts file, without the name of the server.
    /// </summary>
    public string PublicKey { get; private set; } = "";

    public string KeyFile => Path.Combine(own.Path, "user");

    public override IReadOnlyDictionary<string, string> Options =>
        new Dictionary<string, string>
        {
            ["auth-username"] = Environment.UserName,
            ["ssh-keyfile"] = KeyFile,
            ["ssh-fingerprint"] = Fingerprint,
        };

    public override (string Name, string Value) WrongCredential =>
        ("ssh-keyfile", Path.Combine(own.Path, "host-ed25519"));

    public override string UrlOf(string folder, int port) => $"ssh://127.0.0.1:{port}/{Root.TrimStart('/')}/{folder}";

    /// <summary>Lets in another key, too.</summary>
    public async Task AdmitAsync(string publicKeyFile) =>
        await File.AppendAllTextAsync($"{KeyFile}.pub", await File.ReadAllTextAsync(publicKeyFile));

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        own.Dispose();
    }

    protected override async Task StartAsync()
    {
        await ToolAsync("ssh-keygen", "-q", "-t", "ecdsa", "-N", "", "-f", Path.Combine(own.Path, "host-ecdsa"));
        await ToolAsync("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", Path.Combine(own.Path, "host-ed25519"));
        await ToolAsync("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", KeyFile);
        Fingerprint = await FingerprintAsync("host-ecdsa");
        Ed25519Fingerprint = await FingerprintAsync("host-ed25519");
        PublicKey = (await File.ReadAllTextAsync(Path.Combine(own.Path, "host-ed25519.pub"))).Trim();
        string file = Path.Combine(own.Path, "sshd_config");
        await File.WriteAllTextAsync(
            file,
            $"""
            ListenAddress 127.0.0.1
            Port {Port}
            HostKey {own.Path}/host-ecdsa
            HostKey {own.Path}/host-ed25519
            AuthorizedKeysFile {KeyFile}.pub
            PidFile {own.Path}/pid
            PermitRootLogin yes
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            StrictModes no
            UsePAM no
            MaxStartups 100
            MaxSessions 100
            Subsystem sftp internal-sftp
            """
        );
        if (Environment.IsPrivilegedProcess)
        {
            Directory.CreateDirectory("/run/sshd");
        }

        await RunAsync("sshd", ["-D", "-e", "-f", file]);
    }

    private async Task<string> FingerprintAsync(string key)
    {
        string line = await File.ReadAllTextAsync(Path.Combine(own.Path, key + ".pub"));
        return "SHA256:"
            + Convert
                .ToBase64String(
                    System.Security.Cryptography.SHA256.HashData(Convert.FromBase64String(line.Split(' ')[1]))
                )
                .TrimEnd('=');
    }
}
