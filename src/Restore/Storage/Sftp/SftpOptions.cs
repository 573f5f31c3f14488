using Restore.Storage.Rclone;

namespace Restore.Storage.Sftp;

/// <summary>The options of SFTP stores.</summary>
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
