namespace Restore.Sftp;

/// <summary>
/// Folders on SSH servers: <c>ssh://host/folder</c>. Add it to <see cref="BackupOptions.Stores"/> with <see cref="StoreRegistry.With"/>.
/// </summary>
public sealed class SftpStoreProvider : IStoreProvider
{
    /// <inheritdoc/>
    public string Name => "SFTP";

    /// <inheritdoc/>
    public string Summary => "a folder on an SSH server";

    /// <inheritdoc/>
    public IReadOnlyList<string> Schemes => ["ssh", "sftp"];

    /// <inheritdoc/>
    public IReadOnlyList<string> Locations => ["ssh://host/folder", "sftp://host/folder"];

    /// <inheritdoc/>
    public IReadOnlyList<StoreOption> Options => SftpOptions.All;

    /// <inheritdoc/>
    public IReadOnlyList<string> IgnoredOptions => ["ssh-operation-timeout", "ssh-keepalive"];

    /// <inheritdoc/>
    public IVolumeStore Open(StoreContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return new SftpStore(context);
    }

    /// <inheritdoc/>
    public IVolumeSink OpenSink(StoreContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return new SftpSink(context);
    }
}

internal static class SftpOptions
{
    public static readonly StoreOption Fingerprint =
        new("ssh-fingerprint", "the server's key: `SHA256:...` as `ssh-keygen -l` shows it, or Duplicati's `ssh-rsa 2048 aa:bb:...`")
        {
            Default = "what the file of known servers has",
        };

    public static readonly StoreOption KnownHosts =
        new("ssh-known-hosts", "the file of known servers, as OpenSSH writes it") { Default = "`~/.ssh/known_hosts`" };

    public static readonly StoreOption AcceptAnyFingerprint =
        new("ssh-accept-any-fingerprints", "trusts any server") { Kind = StoreOptionKind.Switch, Default = "off" };

    public static readonly StoreOption KeyFile =
        new("ssh-keyfile", "private key: a file, or the key itself after `sshkey://`; the password is then the key's passphrase") { IsSecret = true };

    public static readonly StoreOption Key = new("ssh-key", "private key: the key itself") { IsSecret = true };

    public static readonly StoreOption DisableAgent =
        new("ssh-disable-agent", "does not ask the SSH agent, which is asked if there is neither a key nor a password")
        {
            Kind = StoreOptionKind.Switch, Default = "off",
        };

    public static readonly StoreOption RelativePath =
        new("ssh-relative-path", "the path starts at the user's folder instead of the server's root") { Kind = StoreOptionKind.Switch, Default = "off" };

    public static readonly IReadOnlyList<StoreOption> All = [Fingerprint, KnownHosts, AcceptAnyFingerprint, KeyFile, Key, DisableAgent, RelativePath];
}
