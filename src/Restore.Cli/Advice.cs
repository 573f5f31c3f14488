using Restore.Cli.Help;

namespace Restore.Cli;

/// <summary>
/// What a user of this program can do about an error or an issue: the options and commands to use.
/// The library does not know these.
/// </summary>
internal static class Advice
{
    public const string OtherVersions = "'restore find' shows in which versions a file is";

    private const string OtherVersion =
        "Choose another version ('restore versions' lists them), or bring this file back from another copy of the backup";
    private const string OtherUser = "Nothing says that it is damaged: run it again as a user who may read it";
    private const string Fetch =
        "Let the client of the cloud fetch the backup ('always keep on this device', 'make available offline'), and run the same command again";

    private const string Thaw =
        "Ask the store to restore what --list-volumes names (S3: 'aws s3api restore-object' for each; Azure: 'az storage blob set-tier'), and run the same "
        + "command again when that is done";

    private const string TooLarge =
        "Run it on a machine with more memory, or from a store that reads ranges (a local copy does)";
    private const string NoDatabase = "leave out --dbpath: the volumes have all that is needed";
    private const string OtherTarget = "Choose another target with --restore-path";
    private const string AllowKeys = "If you made the backup with a key, --allow-gpg-keys takes it";
    private const string JobKey =
        "Give the key of Duplicati's settings (its SETTINGS_ENCRYPTION_KEY) with --job-key-file, --job-key or the variable of that name";
    private const string JobPassphrase =
        "Give the passphrase that the export was made with, in a file with --job-key-file, or with --job-key";
    private const string OtherFileSystem = "rite to a file system that has longer ones: FAT has none of 4 GiB";

    private static readonly bool OnWindows = OperatingSystem.IsWindows();

    private static readonly string LongerFiles = OnWindows
        ? "W" + OtherFileSystem
        : "Raise the limit of the length of files (ulimit -f, LimitFSIZE of systemd), or w" + OtherFileSystem;

    private const string CheckCredentials = "Check --auth-username and --auth-password";

    public static string? For(string code) => OfError(code) is { } advice ? ExampleText.Sentence(advice) : null;

    private static string? OfError(string code) =>
        code switch
        {
            RestoreErrorCode.Unexpected =>
                "Run it again; what is right at the target is left alone. If it fails at the same place, --log-file=FILE keeps the details",
            RestoreErrorCode.StoreUnreachable => "Check its address and the network, then run the same command again",
            RestoreErrorCode.StoreLost =>
                "Check the network or the disk, then run the same command again: what is already restored is kept. A store that is "
                    + "only slow needs a longer --read-write-timeout",
            RestoreErrorCode.AccessRefused =>
                "Give a user (--auth-username, --auth-password) who may list and read the backup's folder",
            RestoreErrorCode.ListingFailed => null,
            RestoreErrorCode.ListingTooLong => "Give the folder that holds only the backup",
            RestoreErrorCode.FolderUnreadable => "Run it as a user who may read it",
            RestoreErrorCode.CredentialsRefused => CheckCredentials,
            RestoreErrorCode.CredentialsMissing =>
                "Give --auth-username and --auth-password (the variables AUTH_USERNAME and AUTH_PASSWORD); for S3 also AWS_ACCESS_KEY_ID and "
                    + "AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, and for a public bucket --s3-anonymous; for an SSH server a key (--ssh-keyfile)",
            RestoreErrorCode.CertificateUntrusted =>
                "If you know this hash to be the server's, give it as --accept-specified-ssl-hash",
            RestoreErrorCode.RedirectRefused =>
                "If that is right, give its address; credentials are never sent to a host that was not named",
            RestoreErrorCode.NotS3 => "Check the server's name and port, and whether it needs use-ssl",
            RestoreErrorCode.NotAzure =>
                "Check the address (azure-blob-endpoint), and that no login page of a network is in between",
            RestoreErrorCode.NotWebDav => "Check the path after the server's name, and whether it needs webdavs://",
            RestoreErrorCode.RcloneMissing =>
                $"Install it ({(OnWindows ? "winget install Rclone.Rclone" : "Debian and Ubuntu: apt install rclone; others")}: rclone.org/downloads) "
                    + "or name its place with --rclone-executable",
            RestoreErrorCode.ProgramUnusable => null,
            RestoreErrorCode.SshServerUnknown =>
                "If one of them is the server's, give it as --ssh-fingerprint; or give --ssh-accept-any-fingerprints",
            RestoreErrorCode.SshServerChanged =>
                "Somebody may be in between. If the server has a new key, give it as --ssh-fingerprint, or bring the file of known servers up to date",
            RestoreErrorCode.SshKeyMismatch =>
                "Somebody may be in between. If the server has a new key, change the remote ('rclone config')",
            RestoreErrorCode.SshKeyUnusable => "Check --ssh-keyfile; --auth-password is the key's passphrase",
            RestoreErrorCode.GpgMissing or RestoreErrorCode.GpgUnusable =>
                "Install GnuPG 2.1 or later (package gnupg; on Windows Gpg4win), or name the program with --gpg-program-path",
            RestoreErrorCode.DatabaseUnusable => Capital(NoDatabase),
            RestoreErrorCode.FileListUnusable => OtherVersion,
            RestoreErrorCode.FileListIncomplete => OtherVersion,
            RestoreErrorCode.FileListUnauthentic =>
                $"{OtherVersion}. If you know that nobody else can write there, --allow-unauthentic-lists takes what can be read of it",
            RestoreErrorCode.FileListRefused => OtherUser,
            RestoreErrorCode.FileListFrozen => Thaw,
            RestoreErrorCode.KeyIterationsExceeded => "If you trust the backup, --max-key-iterations allows more",
            RestoreErrorCode.FileListsUnencrypted =>
                "If you know that the backup was made in part without encryption, --allow-unencrypted takes them",
            RestoreErrorCode.EncryptedToKey => AllowKeys,
            RestoreErrorCode.OpenFilesTooFew => $"Raise the limit{(OnWindows ? "" : " (ulimit -n)")} and run it again",
            RestoreErrorCode.ServerDatabaseUnusable =>
                "Take another copy of it, or the exported configuration of the job (--from-config); or give the storage URL and the passphrase of the backup",
            RestoreErrorCode.JobFileUnusable =>
                "Give the file that Duplicati makes when it exports a job (.json or .json.aes)",
            RestoreErrorCode.BackupChanged => "Run the same command again: it makes a new plan",
            RestoreErrorCode.NeedsUnknown =>
                "'restore check' names what cannot be read. Bring it back (fetch it, give it its name, or take another copy of the backup), or delete the "
                    + "versions that need it, or the rest of a broken upload ('restore delete --version=N')",
            RestoreErrorCode.LossesUnknown =>
                "'restore check' names what cannot be read. Bring it back (fetch it, thaw it, give it its name, read it as another user, or take another "
                    + "copy of the backup); only if nothing can bring it back, move it away, and its blocks count as lost",
            RestoreErrorCode.ShardRecordDamaged => "Delete it, and restore the shard again with 'restore run'",
            RestoreErrorCode.ShardsMissing => "Restore them with 'restore run', then finish again",
            RestoreErrorCode.ShardTaken => "Nothing is to do, if the other process completes it",
            RestoreErrorCode.ShardPlanOther =>
                "Delete the folder beside the plan if its shards are no longer needed, then restore all shards of this plan",
            RestoreErrorCode.PlanBackupOther =>
                "Give the location of the backup that the plan was made for, or make a new plan",
            RestoreErrorCode.PlanVersionGone =>
                "Make a new plan of a version that the backup has ('restore versions' lists them)",
            RestoreErrorCode.ShardCountWrong =>
                "'restore plan --show' prints the number of shards of a plan; --shards=N gives one without",
            RestoreErrorCode.ShardTargetOther =>
                "Mount the shared file system at that place, and restore the shard again with 'restore run'",
            RestoreErrorCode.OptionInvalid
            or RestoreErrorCode.StoreOptionInvalid
            or RestoreErrorCode.StoreOptionUnknown => null,
            RestoreErrorCode.LocationInvalid =>
                "Give a folder or a storage URL, such as /mnt/backup or s3://bucket/folder",
            RestoreErrorCode.UrlHostMissing => null,
            RestoreErrorCode.UrlPortInvalid => "In a user name or password write @ as %40, : as %3A and / as %2F",
            RestoreErrorCode.SchemeUnknown =>
                "rclone reaches most other services: make a remote with 'rclone config', and give rclone://remote/folder",
            RestoreErrorCode.CertificateHashUnsupported =>
                "Leave out --accept-specified-ssl-hash and add the server's certificate to those that the system trusts, or use webdavs:// or s3://",
            RestoreErrorCode.CredentialsIncomplete =>
                "Give both --auth-username and --auth-password, or neither to use the AWS environment, profile or role",
            RestoreErrorCode.BucketRegionWrong => "Give its region as --s3-location-name",
            RestoreErrorCode.FilterEmpty => "Give a path, a glob or [a regular expression]",
            RestoreErrorCode.FilterGroupUnsupported => "Give paths, globs or [a regular expression]",
            RestoreErrorCode.FilterInvalid =>
                "Correct it; a path or name that is in brackets itself is given as '@[...]'",
            RestoreErrorCode.FilterTooSlow => "Write it without lookaround and backreferences, or as a glob",
            RestoreErrorCode.PathEmpty => "Leave it out to restore everything",
            RestoreErrorCode.TargetRequired => "Name a folder to restore into with --restore-path",
            RestoreErrorCode.PassphraseMultiline => "Give the passphrase without a line break",
            RestoreErrorCode.DatabaseMismatch => $"Give the database of this backup, or {NoDatabase}",
            RestoreErrorCode.VersionTimeTooOld => "Give a later time, or none",
            RestoreErrorCode.DestinationIncompatible =>
                "Write a version of that kind, or choose another destination or prefix",
            RestoreErrorCode.WrongPassphrase =>
                "Check for typing errors, the keyboard layout, and spaces or line ends at either end. Duplicati may have it still: in the job that "
                    + "'restore jobs /mnt/old-disk' lists, or in an exported configuration (--from-config). Nothing was changed",
            RestoreErrorCode.PassphraseMissing =>
                "Give it in a file with --passphrase-file, in the environment variable PASSPHRASE, or with --passphrase",
            RestoreErrorCode.EncryptionUndecided =>
                "Give a passphrase (--passphrase-file, the variable PASSPHRASE, --passphrase), or --no-encryption for a backup that anyone can read",
            RestoreErrorCode.PassphraseNotText =>
                "Give it in UTF-8; encode a key of random bytes as text before, for example with base64",
            RestoreErrorCode.PassphraseHasControls =>
                "Give it in one line: no prompt would take it. At the end of a file one line break is left out, and further ones belong to the passphrase",
            RestoreErrorCode.PassphraseNotChangeable =>
                "Give another new passphrase, bring back or remove the file that it names, or back up to a new place: only zip volumes of AES Crypt are "
                    + "changed",
            RestoreErrorCode.DestinationPassphraseWrong => "Give the one that it was made with",
            RestoreErrorCode.SettingsKeyMissing or RestoreErrorCode.SettingsKeyWrong => JobKey,
            RestoreErrorCode.JobFilePassphraseMissing or RestoreErrorCode.JobFilePassphraseWrong => JobPassphrase,
            RestoreErrorCode.LocationNotFound => "Check the path, and that the disk or share it is on is mounted",
            RestoreErrorCode.LocationIsFile =>
                "Give the folder that holds the volumes; a saved plan is for 'restore run'",
            RestoreErrorCode.RemoteFolderNotFound => "Check the path after the server's name",
            RestoreErrorCode.BucketNotFound => "Check the name, and the account, server or region that it belongs to",
            RestoreErrorCode.RcloneRemoteNotFound =>
                "'rclone listremotes' shows those there are, 'rclone config' makes one",
            RestoreErrorCode.BackupNotFound =>
                "Give the folder that holds the duplicati-*.dlist, .dindex and .dblock files",
            RestoreErrorCode.SeveralBackups or RestoreErrorCode.PrefixNotFound => "Choose one with --prefix",
            RestoreErrorCode.FileListsMissing =>
                "Look for the missing duplicati-*.dlist.* files (they are small and one is enough), or give Duplicati's local database with --dbpath",
            RestoreErrorCode.VersionNotFound => "'restore versions' lists them with their times",
            RestoreErrorCode.EntryNotFound => OtherVersions,
            RestoreErrorCode.EntryIsNotFile => null,
            RestoreErrorCode.NothingSelected =>
                "'restore ls' shows what there is. In all versions, 'restore find' shows what has a name or is matched by "
                    + "a pattern such as '*part*', and 'restore find --similar=NAME' what has a name like it",
            RestoreErrorCode.ServerDatabaseNotFound =>
                "Give Duplicati's folder or the root of a rescued disk ('restore jobs /mnt/old-disk', or --server-datafolder), as a user who may read it",
            RestoreErrorCode.JobNotFound => "'restore jobs' lists them",
            RestoreErrorCode.SeveralJobs => "Give the number, or name the server's folder with --server-datafolder",
            RestoreErrorCode.VolumeNotFound =>
                "Take the names from the folder of the backup, or from a report that names lost volumes",
            RestoreErrorCode.JobFileNotFound => "Check the path given as --from-config",
            RestoreErrorCode.DatabaseNotFound => $"Give the path of the job's .sqlite file, or {NoDatabase}",
            RestoreErrorCode.PlanDamaged => "Make the plan again",
            RestoreErrorCode.SourceUnreadable =>
                "Run it as a user who may look at it; if it is on a server or a disk, look whether that answers",
            RestoreErrorCode.SourceNotFound => "Give a folder that is there",
            RestoreErrorCode.SourceEmpty =>
                "Check that the disk of the source is mounted, or leave out --prevent-empty-source",
            RestoreErrorCode.TargetUnusable => OtherTarget,
            RestoreErrorCode.TargetFull => "Make room there and run the restore again",
            RestoreErrorCode.TargetQuotaExceeded => "Raise the quota or make room, and run the restore again",
            RestoreErrorCode.TargetReadOnly => $"Mount it for writing, or {Small(OtherTarget)}",
            RestoreErrorCode.TargetAccessDenied => $"Restore as a user who may write there, or {Small(OtherTarget)}",
            RestoreErrorCode.AccountUnknown => "Correct --map-owner: the account after = has to be one of this system",
            RestoreErrorCode.TargetNotCreated => "Choose a folder that you may create",
            RestoreErrorCode.TargetLost =>
                "Bring it back, and run the same command again: what is right at the target is left alone",
            RestoreErrorCode.TargetInUse => "Wait until it has ended, or choose another target",
            RestoreErrorCode.OutputExists => "Name another file, or move that one away",
            RestoreErrorCode.OutputNotWritable => "Name a file in a folder that you may write to",
            RestoreErrorCode.OutputFull =>
                "Make room there, and in the folder for temporary files, or name a file elsewhere",
            RestoreErrorCode.FileTooLarge =>
                $"{LongerFiles}; a backup makes smaller volumes with --dblock-size, for example 50mb",
            RestoreErrorCode.QuotaExceeded => "Raise the quota, make room, or write to another place",
            RestoreErrorCode.DestinationNotWritable =>
                "Look for free space and the right to write there; the versions that were there before are unchanged",
            RestoreErrorCode.BackupLocked =>
                "Wait until it has ended. If nothing writes there any more, --break-lock removes it",
            RestoreErrorCode.StoreAppendOnly =>
                "Leave it to the rules of the store; without --immutable, and with the right to delete, files are deleted",
            RestoreErrorCode.StoreReadOnly => "Choose a store of another kind",
            _ => throw new ArgumentOutOfRangeException(nameof(code), code, "There is no row for this code"),
        };

    public static string? For(IssueCode code) =>
        code switch
        {
            IssueCode.None => null,
            IssueCode.LinkOutsideTarget => "--allow-restore-outside-target-directory creates such links",
            IssueCode.LinkNotAllowed =>
                "Run the same again as an administrator, or turn on the developer mode of Windows: what is there stays",
            IssueCode.AccountUnknown =>
                "--map-owner=SID=ACCOUNT gives its rights to an account of this system, in a restore with --overwrite",
            IssueCode.FolderInTheWay => "Move it away, or restore to another place with --restore-path",
            IssueCode.LinkAboveSource => "Give the folder that the link leads to as --restore-path",
            IssueCode.NamesTaken => "Clear them up, or use --overwrite",
            IssueCode.AccessDenied => "Restore as a user who may read and write there",
            IssueCode.TargetTooSmall => "Make room there and run the restore again",
            IssueCode.TooManyBlocks => "Restore in parts, with --include or --exclude",
            IssueCode.LinkWithoutMetadata => "Leave out --skip-metadata to restore links",
            IssueCode.LocalFileChanged => "Run the restore again",
            IssueCode.TooManyOpenFiles =>
                $"Raise the limit{(OnWindows ? "" : " (ulimit -n)")} and run the restore again",
            IssueCode.DatabaseContradictory => $"If a block is missing, {NoDatabase}",
            IssueCode.CacheUnusable => "Check --cache-dir",
            IssueCode.KeyIterationsExceeded => "If you trust the backup, --max-key-iterations allows more",
            IssueCode.VolumeRefused => OtherUser,
            IssueCode.UnencryptedVolume => "If you know that it belongs to the backup, --allow-unencrypted takes it",
            IssueCode.NothingEncrypted => "If the backup was made without encryption, leave the passphrase out",
            IssueCode.EncryptedToKey => AllowKeys,
            IssueCode.NotFlushed =>
                "Check the device and its space, then run the restore again with another target, or with --overwrite",
            IssueCode.Renamed or IssueCode.KeptAtTarget or IssueCode.OnlySuspect => null,
            IssueCode.PatchedInPlace => "If it is interrupted, run the same again",
            IssueCode.ParityProgramMissing =>
                $"Install it{(OnWindows ? "" : " (Debian and Ubuntu: apt install par2)")} or name it with --par2-program-path, and run the same again",
            IssueCode.RecordUnusable =>
                "Delete it; what the interrupted restore left is then restored beside, or replaced with --overwrite",
            IssueCode.FileTooLarge => LongerFiles,
            IssueCode.BlocksLost =>
                "'restore verify --all-versions' names the entries that need them, 'restore repair --purge-broken-files' leaves those out of the lists",
            IssueCode.FileListDamaged => "Keep a copy of it: another damage may cost entries",
            IssueCode.FileListIncomplete =>
                "Bring it back from another copy of the backup, or restore another version ('restore versions' lists them)",
            IssueCode.FileListUnauthentic => "Compare what is restored with another version before you use it",
            IssueCode.DatabaseUnusable => null,
            IssueCode.FileListUnfinished => "Delete it from the folder of the backup; nothing needs it",
            IssueCode.DamagedBeside => "If the damaged file is the better one, rename it",
            IssueCode.BlocksTooLong =>
                "If you trust the backup and the memory is there, --max-block-size allows longer ones",
            IssueCode.VolumeRenamed =>
                "Rename it as it was: what was put before, between and after the parts of its name is to go",
            IssueCode.VolumePlaceholder => Fetch,
            IssueCode.VolumeUnfinished => "Wait for its end, or fetch the volume again, and run the same command again",
            IssueCode.VolumeCopyUsed => null,
            IssueCode.VolumeFrozen => Thaw,
            IssueCode.LossesUncertain =>
                "Make these volumes readable, index volumes first (thaw them, or read them as a user who may), and run the same again",
            IssueCode.VolumeTooLarge => TooLarge,
            IssueCode.VolumeMisnamed =>
                "Give it back the end that it had (.aes or .gpg for an encrypted volume): Duplicati does not read it as it is",
            IssueCode.MethodUnsupported => "Make what it names available and run the restore again",
            _ => throw new ArgumentOutOfRangeException(nameof(code), code, "There is no row for this code"),
        };

    private static string Capital(string sentence) => char.ToUpperInvariant(sentence[0]) + sentence[1..];

    private static string Small(string sentence) => char.ToLowerInvariant(sentence[0]) + sentence[1..];
}
