namespace Restore.Sftp;

/// <summary>
/// Options of <see cref="SftpStoreProvider"/> as properties, for
/// <see cref="BackupOptions.StoreOptions"/>.
/// </summary>
public sealed class SftpStoreOptions : StoreOptionSet
{
    /// <summary>
    /// The fingerprint of the server's key: <c>SHA256:...</c> as <c>ssh-keygen -l</c> shows it. If
    /// not set, the file of known servers decides.
    /// </summary>
    public string? Fingerprint
    {
        get;
        init => Set(SftpOptions.Fingerprint, field = value);
    }

    /// <summary>
    /// The path of the file of known servers, as OpenSSH writes it; <c>~/.ssh/known_hosts</c> by
    /// default.
    /// </summary>
    public string? KnownHostsFile
    {
        get;
        init => Set(SftpOptions.KnownHosts, field = value);
    }

    /// <summary>Whether any server is trusted.</summary>
    public bool? AcceptAnyFingerprint
    {
        get;
        init => Set(SftpOptions.AcceptAnyFingerprint, field = value);
    }

    /// <summary>
    /// The path of a private key; <see cref="StoreOptionSet.Password"/> is its passphrase.
    /// </summary>
    public string? KeyFile
    {
        get;
        init => Set(SftpOptions.KeyFile, field = value);
    }

    /// <summary>The private key itself, in place of a file.</summary>
    public string? Key
    {
        get;
        init => Set(SftpOptions.Key, field = value);
    }

    /// <summary>Whether the SSH agent is never asked.</summary>
    public bool? DisableAgent
    {
        get;
        init => Set(SftpOptions.DisableAgent, field = value);
    }

    /// <summary>
    /// Whether the path starts at the user's folder, and not at the server's root.
    /// </summary>
    public bool? RelativePath
    {
        get;
        init => Set(SftpOptions.RelativePath, field = value);
    }
}
