namespace Restore.Sftp;

internal static class SftpOptions
{
    public static readonly StoreOption Fingerprint = new(
        "ssh-fingerprint",
        "the server's key: `SHA256:...` as `ssh-keygen -l` shows it, or Duplicati's `ssh-rsa 2048 aa:bb:...`"
    )
    {
        Default = "what the file of known servers has",
    };

    public static readonly StoreOption KnownHosts = new(
        "ssh-known-hosts",
        "the file of known servers, as OpenSSH writes it"
    )
    {
        Default = "`~/.ssh/known_hosts`",
    };

    public static readonly StoreOption AcceptAnyFingerprint = new("ssh-accept-any-fingerprints", "trusts any server")
    {
        Kind = StoreOptionKind.Switch,
        Default = "off",
    };

    public static readonly StoreOption KeyFile = new(
        "ssh-keyfile",
        "private key: a file, or the key itself after `sshkey://`; the password is then the key's passphrase"
    )
    {
        IsSecret = true,
    };

    public static readonly StoreOption Key = new("ssh-key", "private key: the key itself") { IsSecret = true };

    public static readonly StoreOption DisableAgent = new(
        "ssh-disable-agent",
        "does not ask the SSH agent, which is asked if there is neither a key nor a password"
    )
    {
        Kind = StoreOptionKind.Switch,
        Default = "off",
    };

    public static readonly StoreOption RelativePath = new(
        "ssh-relative-path",
        "the path starts at the user's folder instead of the server's root"
    )
    {
        Kind = StoreOptionKind.Switch,
        Default = "off",
    };

    public static readonly IReadOnlyList<StoreOption> All =
    [
        Fingerprint,
        KnownHosts,
        AcceptAnyFingerprint,
        KeyFile,
        Key,
        DisableAgent,
        RelativePath,
    ];
}
