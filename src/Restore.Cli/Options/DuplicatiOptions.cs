using Restore.Azure;
using Restore.S3;
using Restore.Sftp;

namespace Restore.Cli.Options;

/// <summary>Options of Duplicati that mean the same to this program: no effect, or refused. Values and switches are names separated by
/// spaces; a * at the end stands for any end of a name.</summary>
internal sealed record DuplicatiOptions(string Title, string Reason, string Values, string Switches = "")
{
    /// <summary>All groups. The first group that has a name decides, and exact names come before those with a star.</summary>
    public static readonly IReadOnlyList<DuplicatiOptions> All =
    [
        new("Several versions", "a restore takes one version; run it for each, with --version", "restore-all-files") { IsRefused = true },
        new("Control files", "the files that were attached to a file list are not restored", "", "control-files") { IsRefused = true },
        new("Alternate streams", "streams are restored like files; leave them out with --exclude", "", "disable-ads-restore") { IsRefused = true },
        new("Filters of such files", "they count in a file of --parameters-file; on the command line give --include and --exclude",
            "append-filter prepend-filter replace-filter") { IsRefused = true },
        new("Secret providers",
            "secrets are not taken from a provider; give --passphrase-command or --passphrase-file, or the variables PASSPHRASE and AUTH_PASSWORD",
            "secret-provider") { IsRefused = true },
        new("Other places of the backup", "give the folder where the backup is now", "alternate-target-paths") { IsRefused = true },
        new("Remotes of rclone", "give the remote in the URL, rclone://remote/folder", "rclone-remote-path rclone-remote-repository") { IsRefused = true },
        new("Parts of a list", "'restore ls' lists a folder, 'restore versions' the versions",
            "", "list-prefix-only list-folder-contents") { IsRefused = true },
        new("Making and changing backups", "a restore changes nothing in the backup",
            "aes-* asynchronous-upload-folder auto-compact-interval auto-vacuum-interval backup-test-percentage "
            + "backup-test-samples "
            + "backupread-policy changed-files compression-level compression-module concurrency-* "
            + "deleted-files file-read-buffer-size ignore-filenames "
            + "index-file-policy "
            + "new-passphrase par2-extra-options par2-redundancy-level parity-module parity-redundancy-level photos-handling "
            + "photos-library-path quota-size quota-warning-threshold remote-file-lock-duration remote-sync-json-config "
            + "snapshot-* sync-remote-state tgz-* tzstd-* usn-* "
            + "vss-exclude-writers zip-*",
            "abort-if-source-missing allow-missing-source allow-passphrase-change auto-cleanup auto-vacuum check-filetime-only "
            + "disable-autocreate-folder disable-backup-exclusion-xattr disable-file-scanner disable-filelist-consistency-checks disable-filepath-cache "
            + "disable-on-battery disable-synthetic-filelist dont-replace-faulty-index-files enable-ads-backup "
            + "exclude-empty-folders exclude-non-local-files force-actual-date ignore-advisory-locking ignore-update-if-version-exists list-verify-uploads "
            + "no-auto-compact prevent-backend-rename prevent-empty-source quota-disable reduced-purge-statistics "
            + "refresh-lock-info-complete repair-force-block-use repair-ignore-outdated-database repair-only-paths repair-refresh-lock-info "
            + "store-metadata-content-in-database sync-recheck sync-then-delete sync-verify-hash synchronous-upload tgz-memory-buffer tzstd-memory-buffer "
            + "upload-verification-file vss-use-mapping"),
        new("Reading volumes", "the files of the backup say how to read them",
            "gpg-* soft-delete-prefix",
            "dont-read-manifests case-insensitive-remote gpg-encryption-enable-armor disable-filename-sanitation"),
        new("Checks", "each block that is needed and each file is verified by its hash, always",
            "", "no-backend-verification skip-restore-verification skip-file-hash-checks full-block-verification full-remote-verification "
            + "disable-partial-dblock-recovery disable-replace-missing-metadata force-passphrase-from-stdin"),
        new("Links", "metadata of a link goes to the link, and nothing is written through it", "", "restore-symlink-metadata"),
        new("Holes", "blocks of zeros become holes, always, also in files that are patched", "", "sparse"),
        new("Local database and temporary files", "there are none; --dbpath names a database that is read, or kept true",
            "tempdir restore-volume-cache-min-free sqlite-page-cache long-database-query-threshold",
            "no-local-blocks patch-with-local-blocks profile-all-database-queries list-sets-only"),
        new("The machine", "the dimensions of the flow follow the cores and the memory",
            "cpu-intensity thread-priority force-locale", "use-background-io-priority allow-sleep unittest-mode"),
        new("Connections", "the stores have options of their own for that",
            "list-timeout short-timeout log-socket-data throttle-disabled-backends oauth-url",
            "no-connection-reuse disable-streaming-transfers disable-piped-streaming disable-throttle throttle-disabled log-http-requests "
            + "disable-upload-verify ignore-pureftpd-limit-issue"),
        new("Output", "see --quiet, --verbose, --log-file and --report",
            "console-log-* log-file-log-* log-level log-retention suppress-warnings",
            "debug-output debug-retry-errors full-result quiet-console allow-paths-in-log-messages"),
        new("Mail, messages, scripts", "see --notify-command, the exit codes, --report and --metrics",
            "http-report-status-* run-script-* send-http-* send-mail-* send-telegram-* send-xmpp-*",
            "run-script-with-arguments send-http-any-operation send-http-accept-any-ssl-certificate send-http-ignore-revocation-failure "
            + "send-mail-any-operation send-telegram-any-operation send-xmpp-any-operation http-report-status-accept-any-ssl-certificate "
            + "http-report-status-allow-paths-in-log-messages http-report-status-ignore-revocation-failure"),
        new("The job and its program", "they belong to Duplicati's server and its modules",
            "backup-id backup-name controller-server disable-module enable-module machine-id machine-name next-scheduled-run secret-provider-cache "
            + "secret-provider-pattern allowed-backend-modules allowed-compression-modules allowed-encryption-modules",
            "auto-update portable-mode allow-insecure-datafolder hyperv-ignore-client-warning"),
        new("Writing to a store", "nothing is written to it",
            "alternate-destination-marker aftp-data-connection-type aftp-ssl-protocols aftp-upload-delay azure-* b2-* debug-propfind-file "
            + "ftp-data-connection-type ftp-ssl-protocols ftp-upload-delay gcs-* rclone-local-repository rclone-option s3-archive-classes s3-client s3-ext-* "
            + "s3-list-api-version "
            + "s3-lock-mode "
            + "ssh-keepalive ssh-operation-timeout webdav-*",
            "aftp-log-diagnostics aftp-log-privateinfo-to-console aftp-log-to-console aftp-use-cwd-names disable-length-verification ftp-log-diagnostics "
            + "ftp-log-privateinfo-to-console ftp-log-to-console ftp-passive ftp-regular ftp-use-cwd-names integrated-authentication "
            + "s3-disable-chunk-encoding "
            + "s3-disable-payload-signing s3-european-buckets s3-recursive-list s3-use-rrs use-extended-propfind use-legacy-parsing "
            + "use-move-for-put use-sse"),
        new("Stores that rclone reaches", "their settings are those of the remote in rclone",
            "api-key api-token api-url auth-domain auth-two-factor-key box-* bucket-name chunk-size cos-* diagnostics-level drive-id "
            + "duplicati-* filen-* fragment-retry-count fragment-retry-delay "
            + "fragment-size googledrive-* group-email group-id jottacloud-* list-limit openstack-* os-* oss-* page-size read-buffer-size "
            + "site-id storj-* trash-page-size two-factor-code validation-poll-interval validation-timeout web-timeout workspace-id write-buffer-size",
            "binary-direct-mode ignore-revocation-failure ignore-validation-result delete-to-recycler force-smb-authentication move-to-trash soft-delete"),
    ];

    /// <summary>Whether a command line that has one of them is refused, unless it turns the option off.</summary>
    public bool IsRefused { get; init; }

    public IEnumerable<string> Names => NamesOf(Values).Concat(NamesOf(Switches));

    /// <summary>Takes the name without dashes and in lower case; null if Duplicati has no such option.</summary>
    public static (DuplicatiOptions Group, bool TakesValue)? Find(string name)
    {
        foreach (var group in All)
        {
            if (NamesOf(group.Switches).Contains(name) || NamesOf(group.Values).Contains(name))
            {
                return (group, !NamesOf(group.Switches).Contains(name));
            }
        }

        var family = All.FirstOrDefault(group =>
            NamesOf(group.Values).Any(start => start.EndsWith('*') && name.StartsWith(start[..^1], StringComparison.Ordinal)));
        return family is null ? null : (family, true);
    }

    private static string[] NamesOf(string names) => names.Split(' ', StringSplitOptions.RemoveEmptyEntries);
}

/// <summary>Options that this program does not declare itself: those of the stores, as the stores declare them, and those that only Duplicati has.</summary>
internal static class ForeignOptions
{
    // Matches parts of names, so that an unknown name (the token of a future service) counts as a secret too.
    private static readonly string[] SecretParts = ["password", "passphrase", "secret", "token", "authid", "access-key", "access_key", "ssh-key"];

    public static bool IsStoreOption(string name) => HostStores.Registry.FindOption(name) is not null;

    /// <summary>Whether a job may give an option of a store. What names a program, or says what it may know, comes only from the user.</summary>
    public static bool IsFromJob(string name) => IsStoreOption(name) && !name.EndsWith("-executable", StringComparison.Ordinal) && name != "rclone-variables";

    public static bool IsStoreFlag(string name) => HostStores.Registry.FindOption(name) is { Kind: StoreOptionKind.Switch };

    public static bool IsSecret(string name) =>
        HostStores.Registry.FindOption(name) is { IsSecret: true } || SecretParts.Any(part => name.Contains(part, StringComparison.OrdinalIgnoreCase));

    /// <summary>Whether an option of a store here or in Duplicati has no effect, and whether it takes a value; null if it is none of these.</summary>
    public static bool? TakesValueInVain(string name) =>
        DuplicatiOptions.Find(name) is { Group.IsRefused: false } found ? found.TakesValue : HostStores.Registry.IsIgnored(name) ? false : null;

    /// <summary>Why an option of Duplicati is refused, and whether it takes a value; null if it is not refused.</summary>
    public static (string Reason, bool TakesValue)? Refused(string name) =>
        DuplicatiOptions.Find(name) is { Group.IsRefused: true } found ? (found.Group.Reason, found.TakesValue) : null;
}

internal static class HostStores
{
    public static StoreRegistry Registry { get; } = StoreRegistry.Default.With(new SftpStoreProvider()).With(new S3StoreProvider())
        .With(new B2StoreProvider()).With(new GcsStoreProvider()).With(new AzureStoreProvider());
}
