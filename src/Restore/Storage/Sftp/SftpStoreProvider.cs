using Restore.Storage.Rclone;

namespace Restore.Storage.Sftp;

/// <summary>Folders on SSH servers, reached by rclone.</summary>
internal sealed class SftpStoreProvider : IStoreProvider
{
    public string Name => "SFTP";

    public string Summary => "a folder on an SSH server, by rclone";

    public IReadOnlyList<string> Schemes => ["ssh"];

    public IReadOnlyList<string> Locations => ["ssh://host/folder"];

    public IReadOnlyList<StoreOption> Options => SftpOptions.All;

    public IReadOnlyList<string> IgnoredOptions => ["ssh-operation-timeout", "ssh-keepalive", "ssh-disable-agent"];

    public IVolumeStore Open(StoreContext context) => new RcloneStore(context, SftpConnection.Of(context));

    public IVolumeSink OpenSink(StoreContext context) => new RcloneSink(context, SftpConnection.Of(context));
}

/// <summary>What rclone needs to reach an SSH server. The server's key is checked before rclone starts.</summary>
internal static class SftpConnection
{
    private const string InlineKeyScheme = "sshkey://";

    public static RcloneRemote Of(StoreContext context)
    {
        StoreUrl url = context.Url;
        RcloneRemote remote = RcloneRemote.OnServer("sftp", "/" + url.Path.TrimStart('/'), url).With("SHELL_TYPE", "none").With("DISABLE_HASHCHECK", "true");
        string? key = url.Options.Text(SftpOptions.Key);
        string? keyFile = url.Options.Text(SftpOptions.KeyFile);
        if (key is null && keyFile?.StartsWith(InlineKeyScheme, StringComparison.OrdinalIgnoreCase) == true)
        {
            (key, keyFile) = (keyFile, null);
        }

        if (key is not null)
        {
            remote = remote.With("KEY_PEM", PemOf(key));
        }
        else if (keyFile is not null)
        {
            remote = remote.With("KEY_FILE", keyFile);
        }

        // As in Duplicati: with a key, the password is that of the key.
        if (url.Password is { } password)
        {
            remote = remote.WithSecret(key is null && keyFile is null ? "PASS" : "KEY_FILE_PASS", password);
        }

        return url.Options.Flag(SftpOptions.AcceptAnyFingerprint)
            ? remote
            : remote with { PrepareAsync = (prepared, folder, cancellationToken) => WithHostKeyAsync(context, prepared, folder, cancellationToken) };
    }

    /// <summary>Finds the server's key by its fingerprint, and makes rclone accept that key only.</summary>
    private static async Task<RcloneRemote> WithHostKeyAsync(
        StoreContext context, RcloneRemote remote, DirectoryInfo folder, CancellationToken cancellationToken)
    {
        IReadOnlyList<SshHostKey> keys =
            await SshHostKeys.ScanAsync(context.Url, context.Transfers.ProgressTimeout, cancellationToken).ConfigureAwait(false);
        SshHostKey key = SshHostKeys.Choose(keys, context.Options.Text(SftpOptions.Fingerprint), context.Url);

        // rclone reads the key from a file only; the file has no secret.
        string knownHosts = Path.Combine(folder.FullName, "known_hosts");
        await File.WriteAllTextAsync(knownHosts, key.Line + "\n", cancellationToken).ConfigureAwait(false);
        return remote.With("KNOWN_HOSTS_FILE", knownHosts).With("HOST_KEY_ALGORITHMS", key.Algorithms);
    }

    private static string PemOf(string key)
    {
        string pem = key.StartsWith(InlineKeyScheme, StringComparison.OrdinalIgnoreCase) ? Uri.UnescapeDataString(key[InlineKeyScheme.Length..]) : key;

        // rclone takes a key as one line, with line ends written as \n.
        return pem.ReplaceLineEndings("\\n");
    }
}

internal static class SftpOptions
{
    public static readonly StoreOption Fingerprint =
        new("ssh-fingerprint", "the server's key: `SHA256:...` as `ssh-keygen -l` shows it, or Duplicati's `ssh-rsa 2048 aa:bb:...`");

    public static readonly StoreOption AcceptAnyFingerprint =
        new("ssh-accept-any-fingerprints", "trusts any server") { Kind = StoreOptionKind.Switch, Default = "off" };

    public static readonly StoreOption KeyFile =
        new("ssh-keyfile", "private key: a file, or the key itself after `sshkey://`; the password is then the key's passphrase") { IsSecret = true };

    public static readonly StoreOption Key = new("ssh-key", "private key: the key itself") { IsSecret = true };

    public static readonly IReadOnlyList<StoreOption> All = [Fingerprint, AcceptAnyFingerprint, KeyFile, Key, .. RcloneOptions.All];
}
