using System.Collections.Frozen;

namespace Restore.Cli.Options;

/// <summary>
/// Options of Duplicati that this program does not interpret itself: those of the stores, as the stores declare them, and those that have no use
/// here.
/// </summary>
internal static class ForeignOptions
{
    // Matches parts of names, so that an unknown name (the token of a future service) counts as a secret too.
    private static readonly string[] SecretParts = ["password", "passphrase", "secret", "token", "authid", "access-key", "access_key", "ssh-key"];

    private static readonly string[] NotNeededPrefixes =
    [
        // Stores that are reached through rclone here.
        "azure", "b2-", "gcs-", "jottacloud-", "openstack-", "os-", "googledrive-", "authid",
        "send-", "run-script-", "console-log-", "log-file-log-", "asynchronous-", "concurrency-", "snapshot-", "zip-", "aes-", "gpg-",
        "par2-", "parity-", "index-file-", "usn-",
    ];

    private static readonly FrozenSet<string> NotNeeded = FrozenSet.Create(
        StringComparer.Ordinal,
        "no-local-db", "no-local-blocks", "patch-with-local-blocks", "tempdir", "encryption-module", "no-encryption", "compression-module",
        "no-backend-verification", "blocksize", "block-hash-algorithm", "file-hash-algorithm", "dblock-size", "disable-module", "enable-module",
        "skip-restore-verification", "full-block-verification", "skip-file-hash-checks", "dont-read-manifests", "restore-volume-cache-min-free",
        "backup-name", "backup-id", "machine-id", "keep-versions", "keep-time", "retention-policy", "no-auto-compact", "threshold", "small-file-size",
        "small-file-max-count", "auto-cleanup", "auto-update", "auto-vacuum", "auto-vacuum-interval", "thread-priority", "use-background-io-priority",
        "allow-sleep", "log-level", "log-retention", "debug-output", "debug-retry-errors", "full-result", "quiet-console", "upload-verification-file",
        "backup-test-samples", "backup-test-percentage", "full-remote-verification", "symlink-policy", "hardlink-policy", "exclude-files-attributes",
        "changed-files", "deleted-files", "disable-filetime-check", "check-filetime-only", "synchronous-upload", "throttle-upload", "disable-throttle",
        "disable-streaming-transfers", "disable-piped-streaming", "list-timeout", "short-timeout", "no-connection-reuse", "list-verify-uploads",
        "rebuild-missing-dblock-files", "disable-replace-missing-metadata", "disable-partial-dblock-recovery", "sqlite-page-cache");

    public static bool IsStoreOption(string name) => HostStores.Registry.FindOption(name) is not null;

    public static bool IsStoreFlag(string name) => HostStores.Registry.FindOption(name) is { Kind: StoreOptionKind.Switch };

    public static bool IsSecret(string name) =>
        HostStores.Registry.FindOption(name) is { IsSecret: true } || SecretParts.Any(part => name.Contains(part, StringComparison.OrdinalIgnoreCase));

    public static bool IsNotNeeded(string name) =>
        HostStores.Registry.IsIgnored(name)
        || NotNeeded.Contains(name)
        || NotNeededPrefixes.Any(prefix => name.StartsWith(prefix, StringComparison.Ordinal));
}
