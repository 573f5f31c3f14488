namespace Restore.Cli.Options;

/// <summary>
/// Options of Duplicati that this program does not declare: without effect, or refused by some
/// commands. Values and switches are names separated by spaces; a * at the end stands for any end
/// of a name.
/// </summary>
internal sealed record DuplicatiOptions(string Title, string Reason, string Values, string Switches = "")
{
    private const string Any = "*";
    private const string Reading = "reading";
    private const string Writing = "backup delete compact repair";

    /// <summary>
    /// All groups. The first group that has a name decides, and exact names come before those with
    /// a star.
    /// </summary>
    public static readonly IReadOnlyList<DuplicatiOptions> All =
    [
        new("Several versions", "a restore takes one version; run it for each, with --version", "restore-all-files")
        {
            RefusedBy = Reading,
        },
        new(
            "Control files",
            "the files that Duplicati attaches to a file list are neither stored nor restored",
            "",
            "control-files"
        )
        {
            RefusedBy = Any,
        },
        new(
            "Alternate streams",
            "streams are restored like files; leave them out with --exclude",
            "",
            "disable-ads-restore"
        )
        {
            RefusedBy = Reading,
        },
        new(
            "Filters of such files",
            "they count in a file of --parameters-file; on the command line give --include and --exclude",
            "append-filter prepend-filter replace-filter"
        )
        {
            RefusedBy = Any,
        },
        new(
            "Secret providers",
            "secrets are not taken from a provider; give --passphrase-command or --passphrase-file, or the variables PASSPHRASE and AUTH_PASSWORD",
            "secret-provider"
        )
        {
            RefusedBy = Any,
        },
        new("Other places of the backup", "give the folder where the backup is now", "alternate-target-paths")
        {
            RefusedBy = Any,
        },
        new(
            "Remotes of rclone",
            "give the remote in the URL, rclone://remote/folder",
            "rclone-remote-path rclone-remote-repository"
        )
        {
            RefusedBy = Any,
        },
        new(
            "Parts of a list",
            "'restore ls' lists a folder, 'restore versions' the versions",
            "",
            "list-prefix-only list-folder-contents"
        )
        {
            RefusedBy = Reading,
        },
        new("Snapshots", "no snapshot is made: files are read as they are", "snapshot-policy")
        {
            RefusedBy = "backup",
            Harmless = "off auto on",
        },
        new(
            "Change journal",
            "the change journal of NTFS is not read: every folder is looked at, or what --changed-files names",
            "usn-policy"
        )
        {
            RefusedBy = "backup",
            Harmless = "off auto on",
        },
        new("Rights of backup programs", "files are opened with the rights of the process", "backupread-policy")
        {
            RefusedBy = "backup",
            Harmless = "off auto on",
        },
        new("Parity", "no parity files are made; the program par2 makes them beside the volumes", "parity-module")
        {
            RefusedBy = Writing,
            Harmless = "none",
        },
        new(
            "Locks of objects",
            "volumes are not locked in the store; a default retention of the bucket does it",
            "remote-file-lock-duration"
        )
        {
            RefusedBy = Writing,
        },
        new(
            "Further destinations",
            "a backup goes to one place; copy its volumes afterwards",
            "remote-sync-json-config"
        )
        {
            RefusedBy = "backup",
        },
        new("Kind of the volumes", "volumes are written as zip archives", "compression-module")
        {
            RefusedBy = Writing,
            Harmless = "zip",
        },
        new(
            "Compression",
            "blocks are compressed with deflate; --zip-compression-level=0 stores them as they are",
            "zip-compression-method"
        )
        {
            RefusedBy = "backup compact",
            Harmless = "deflate",
        },
        new("Streams of NTFS", "alternate data streams are not stored", "", "enable-ads-backup")
        {
            RefusedBy = "backup",
        },
        new("Photos", "the library of Photos is backed up as the folder that it is", "photos-handling")
        {
            RefusedBy = "backup",
            Harmless = "libraryonly",
        },
        new(
            "Another passphrase",
            "'restore repair --new-passphrase' changes it, volume by volume",
            "",
            "allow-passphrase-change"
        )
        {
            RefusedBy = Writing,
        },
        new(
            "Verification file",
            "no such file is written; 'restore check' and 'restore verify' compare the volumes with what versions need",
            "",
            "upload-verification-file"
        )
        {
            RefusedBy = Writing,
        },
        new(
            "Marked destinations",
            "the place of a backup is not found by a file in it; --disable-autocreate-folder refuses a folder that is not there",
            "alternate-destination-marker"
        )
        {
            RefusedBy = Writing,
        },
        new("Renaming instead of deleting", "what is deleted is gone", "soft-delete-prefix")
        {
            RefusedBy = "delete compact repair",
        },
        new("Encryption by the store", "the store is not asked to encrypt; set it for the bucket", "", "use-sse")
        {
            RefusedBy = Writing,
        },
        new(
            "Scripts between two steps",
            "no program is started between the upload and the check; --run-script-after follows both",
            "run-script-post-backup"
        )
        {
            RefusedBy = "backup",
        },
        new(
            "Steps of their own",
            "each is a command: 'restore compact', 'restore check', 'restore verify', 'restore database'",
            "auto-compact-interval auto-vacuum-interval backup-test-percentage backup-test-samples",
            "auto-cleanup auto-vacuum no-auto-compact"
        ),
        new(
            "Volumes on their way",
            "volumes are made in memory and sent while the next ones are made; each run lists them before it ends",
            "asynchronous-upload-folder index-file-policy",
            "synchronous-upload list-verify-uploads prevent-backend-rename"
        ),
        new(
            "How files are read",
            "what is read does not depend on it: files are read whether a program has locked them or not",
            "concurrency-* file-read-buffer-size",
            "disable-file-scanner disable-filepath-cache disable-filelist-consistency-checks ignore-advisory-locking"
        ),
        new(
            "Interrupted backups",
            "the next run uses the volumes that are there already",
            "",
            "disable-synthetic-filelist"
        ),
        new("The quota of the store", "the store is not asked for it; --quota-size sets one", "", "quota-disable"),
        new("The schedule", "it belongs to the program that starts this one", "", "disable-on-battery"),
        new(
            "Parts that are not used",
            "they are settings of what is not used here: snapshots, other archives, parity, Photos, gpg to encrypt",
            "aes-* par2-extra-options par2-redundancy-level parity-redundancy-level photos-library-path snapshot-* tgz-* tzstd-* usn-* "
                + "vss-exclude-writers zip-*",
            "tgz-memory-buffer tzstd-memory-buffer vss-use-mapping"
        ),
        new(
            "What a database keeps",
            "the database follows from the volumes",
            "",
            "check-filetime-only dont-replace-faulty-index-files ignore-update-if-version-exists reduced-purge-statistics refresh-lock-info-complete "
                + "repair-force-block-use repair-ignore-outdated-database repair-only-paths repair-refresh-lock-info store-metadata-content-in-database"
        ),
        new(
            "Folders kept equal",
            "they belong to Duplicati's sync",
            "sync-remote-state",
            "sync-recheck sync-then-delete sync-verify-hash"
        ),
        new(
            "Reading volumes",
            "the files of the backup say how to read them",
            "gpg-*",
            "dont-read-manifests case-insensitive-remote gpg-encryption-enable-armor disable-filename-sanitation"
        ),
        new(
            "Checks",
            "each block that is needed and each file is verified by its hash, always",
            "",
            "no-backend-verification skip-restore-verification skip-file-hash-checks full-block-verification full-remote-verification "
                + "disable-partial-dblock-recovery disable-replace-missing-metadata force-passphrase-from-stdin"
        ),
        new(
            "Links",
            "metadata of a link goes to the link, and nothing is written through it",
            "",
            "restore-symlink-metadata"
        ),
        new("Holes", "blocks of zeros become holes, always, also in files that are patched", "", "sparse"),
        new(
            "Local database and temporary files",
            "there are none; --dbpath names a database that is read, or kept true",
            "tempdir restore-volume-cache-min-free sqlite-page-cache long-database-query-threshold",
            "no-local-blocks patch-with-local-blocks profile-all-database-queries list-sets-only"
        ),
        new(
            "The machine",
            "the dimensions of the flow follow the cores and the memory",
            "cpu-intensity thread-priority force-locale",
            "use-background-io-priority allow-sleep unittest-mode"
        ),
        new(
            "Connections",
            "the stores have options of their own for that",
            "list-timeout short-timeout log-socket-data throttle-disabled-backends oauth-url",
            "no-connection-reuse disable-streaming-transfers disable-piped-streaming disable-throttle throttle-disabled log-http-requests "
                + "disable-upload-verify ignore-pureftpd-limit-issue"
        ),
        new(
            "Output",
            "see --quiet, --verbose, --log-file and --report",
            "console-log-* log-file-log-* log-level log-retention suppress-warnings",
            "force-actual-date debug-output debug-retry-errors full-result quiet-console allow-paths-in-log-messages"
        ),
        new(
            "Mail, messages, scripts",
            "see --notify-command, the exit codes, --report and --metrics",
            "http-report-status-* run-script-* send-http-* send-mail-* send-telegram-* send-xmpp-*",
            "send-http-any-operation send-http-accept-any-ssl-certificate send-http-ignore-revocation-failure "
                + "send-mail-any-operation send-telegram-any-operation send-xmpp-any-operation http-report-status-accept-any-ssl-certificate "
                + "http-report-status-allow-paths-in-log-messages http-report-status-ignore-revocation-failure"
        ),
        new(
            "The job and its program",
            "they belong to Duplicati's server and its modules",
            "backup-id backup-name controller-server disable-module enable-module machine-id machine-name next-scheduled-run secret-provider-cache "
                + "secret-provider-pattern allowed-backend-modules allowed-compression-modules allowed-encryption-modules",
            "auto-update portable-mode allow-insecure-datafolder hyperv-ignore-client-warning"
        ),
        new(
            "Ways to a store",
            "how a store is reached does not depend on it",
            "aftp-data-connection-type aftp-ssl-protocols aftp-upload-delay azure-* b2-* debug-propfind-file "
                + "ftp-data-connection-type ftp-ssl-protocols ftp-upload-delay gcs-* "
                + "rclone-local-repository rclone-option s3-archive-classes s3-client s3-ext-* "
                + "s3-list-api-version "
                + "s3-lock-mode "
                + "ssh-keepalive ssh-operation-timeout webdav-*",
            "aftp-log-diagnostics aftp-log-privateinfo-to-console aftp-log-to-console aftp-use-cwd-names disable-length-verification ftp-log-diagnostics "
                + "ftp-log-privateinfo-to-console ftp-log-to-console ftp-passive ftp-regular ftp-use-cwd-names integrated-authentication "
                + "s3-disable-chunk-encoding "
                + "s3-disable-payload-signing s3-european-buckets s3-recursive-list s3-use-rrs use-extended-propfind use-legacy-parsing "
                + "use-move-for-put"
        ),
        new(
            "Stores that rclone reaches",
            "their settings are those of the remote in rclone",
            "api-key api-token api-url auth-domain auth-two-factor-key box-* bucket-name chunk-size cos-* diagnostics-level drive-id "
                + "duplicati-* filen-* fragment-retry-count fragment-retry-delay "
                + "fragment-size googledrive-* group-email group-id jottacloud-* list-limit openstack-* os-* oss-* page-size read-buffer-size "
                + "site-id storj-* trash-page-size two-factor-code validation-poll-interval validation-timeout web-timeout workspace-id write-buffer-size",
            "binary-direct-mode ignore-revocation-failure ignore-validation-result delete-to-recycler force-smb-authentication move-to-trash soft-delete"
        ),
    ];

    /// <summary>
    /// The commands that refuse a command line with one of them, unless it turns the option off;
    /// "reading" are all that change no backup.
    /// </summary>
    public string RefusedBy { get; init; } = "";

    /// <summary>
    /// Values that change nothing here, so they are not refused.
    /// </summary>
    public string Harmless { get; init; } = "";

    public IEnumerable<string> Names => NamesOf(Values).Concat(NamesOf(Switches));

    /// <summary>
    /// Takes the name without dashes and in lower case; null if Duplicati has no such option.
    /// </summary>
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
            NamesOf(group.Values)
                .Any(start => start.EndsWith('*') && name.StartsWith(start[..^1], StringComparison.Ordinal))
        );
        return family is null ? null : (family, true);
    }

    public bool IsRefusedBy(string command) =>
        NamesOf(RefusedBy) is var all
        && (
            all.Contains(Any) || all.Contains(command) || (all.Contains(Reading) && !NamesOf(Writing).Contains(command))
        );

    /// <summary>
    /// Why a command cannot do what an option asks for, as a sentence; null if it has no effect, as
    /// with a value that turns it off.
    /// </summary>
    public static string? Refusal(string command, string name, string? value)
    {
        if (Find(name) is not { Group: var group } || !group.IsRefusedBy(command) || IsOff(group, name, value))
        {
            return null;
        }

        var what = group.Harmless.Length > 0 && value is not null ? $"--{name}={value}" : $"--{name}";
        return $"{what} cannot be used {PurposeOf(command)}: {group.Reason}";
    }

    private static bool IsOff(DuplicatiOptions group, string name, string? value) =>
        value is not null
        && (
            // An empty value turns an option with a value off. A switch without a value is on.
            value.Trim().Length == 0
                ? NamesOf(group.Values).Contains(name)
                : (BooleanExpression.TryParse(value, out var isOn) && !isOn)
                    || NamesOf(group.Harmless).Contains(value.Trim().ToLowerInvariant())
        );

    public static string PurposeOf(string command) =>
        command switch
        {
            "restore" => "for a restore",
            "backup" => "for a backup",
            _ => $"with 'restore {command}'",
        };

    private static string[] NamesOf(string names) => names.Split(' ', StringSplitOptions.RemoveEmptyEntries);
}
