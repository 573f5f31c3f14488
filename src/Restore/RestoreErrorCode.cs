namespace Restore;

/// <summary>
/// The codes of failures that end an operation and that a host may have advice for. The text and
/// the meaning of a code never change. Stores of your own may have other codes.
/// </summary>
public static class RestoreErrorCode
{
    /// <summary>
    /// A failure that no part of the library expects; the inner exception is the cause.
    /// </summary>
    public const string Unexpected = "Unexpected";

    /// <summary>
    /// The store did not answer the request for its list of files, after all retries.
    /// </summary>
    public const string StoreUnreachable = "StoreUnreachable";

    /// <summary>The store stopped answering while volumes were read.</summary>
    public const string StoreLost = "StoreLost";

    /// <summary>The user is not allowed to list the backup's folder.</summary>
    public const string AccessRefused = "AccessRefused";

    /// <summary>The store's list of files cannot be read.</summary>
    public const string ListingFailed = "ListingFailed";

    /// <summary>The folder lists more files than a backup has.</summary>
    public const string ListingTooLong = "ListingTooLong";

    /// <summary>The local folder of the backup cannot be listed.</summary>
    public const string FolderUnreadable = "FolderUnreadable";

    /// <summary>The store refused the user name, the password or the access key.</summary>
    public const string CredentialsRefused = "CredentialsRefused";

    /// <summary>The store needs credentials, and none were given.</summary>
    public const string CredentialsMissing = "CredentialsMissing";

    /// <summary>The server's certificate is not trusted; the message has its hash.</summary>
    public const string CertificateUntrusted = "CertificateUntrusted";

    /// <summary>The server redirects to another host, which gets no credentials.</summary>
    public const string RedirectRefused = "RedirectRefused";

    /// <summary>The server does not speak WebDAV at this address.</summary>
    public const string NotWebDav = "NotWebDav";

    /// <summary>The server does not speak S3 at this address.</summary>
    public const string NotS3 = "NotS3";

    /// <summary>The server is not an Azure blob storage at this address.</summary>
    public const string NotAzure = "NotAzure";

    /// <summary>The program rclone is not installed.</summary>
    public const string RcloneMissing = "RcloneMissing";

    /// <summary>A program that a store needs cannot be started or used.</summary>
    public const string ProgramUnusable = "ProgramUnusable";

    /// <summary>
    /// The key of the SSH server is unknown; the message has the keys that it offers.
    /// </summary>
    public const string SshServerUnknown = "SshServerUnknown";

    /// <summary>
    /// None of the SSH server's keys has the given fingerprint, or is in the file of known servers.
    /// </summary>
    public const string SshServerChanged = "SshServerChanged";

    /// <summary>
    /// The SSH server of an rclone remote showed another key than the remote knows.
    /// </summary>
    public const string SshKeyMismatch = "SshKeyMismatch";

    /// <summary>The private SSH key cannot be used.</summary>
    public const string SshKeyUnusable = "SshKeyUnusable";

    /// <summary>The backup is encrypted with GnuPG, and the program is missing.</summary>
    public const string GpgMissing = "GpgMissing";

    /// <summary>GnuPG cannot be started.</summary>
    public const string GpgUnusable = "GpgUnusable";

    /// <summary>The local database cannot be used.</summary>
    public const string DatabaseUnusable = "DatabaseUnusable";

    /// <summary>The file list of the version cannot be used.</summary>
    public const string FileListUnusable = "FileListUnusable";

    /// <summary>
    /// The file list of the version is cut or damaged. The entries that can be read were returned.
    /// </summary>
    public const string FileListIncomplete = "FileListIncomplete";

    /// <summary>
    /// The file list of the version fails its authentication, and
    /// <see cref="BackupOptions.AllowUnauthenticLists"/> is off.
    /// </summary>
    public const string FileListUnauthentic = "FileListUnauthentic";

    /// <summary>
    /// The store refuses access to the file list of the version. The list is not known to be
    /// damaged.
    /// </summary>
    public const string FileListRefused = "FileListRefused";

    /// <summary>
    /// The file list of the version is in archive storage: the store has to restore it before it
    /// can be read.
    /// </summary>
    public const string FileListFrozen = "FileListFrozen";

    /// <summary>
    /// The header of the file list asks for more rounds of key derivation than
    /// <see cref="BackupOptions.MaxKeyIterations"/>.
    /// </summary>
    public const string KeyIterationsExceeded = "KeyIterationsExceeded";

    /// <summary>
    /// None of the file lists is encrypted, though other volumes are, and
    /// <see cref="BackupOptions.AllowUnencrypted"/> is off.
    /// </summary>
    public const string FileListsUnencrypted = "FileListsUnencrypted";

    /// <summary>
    /// The file list is encrypted to a GnuPG key, and <see cref="BackupOptions.AllowGpgKeys"/> is
    /// off.
    /// </summary>
    public const string EncryptedToKey = "EncryptedToKey";

    /// <summary>The process may open too few files for its own code and a restore.</summary>
    public const string OpenFilesTooFew = "OpenFilesTooFew";

    /// <summary>The database of Duplicati's server cannot be used.</summary>
    public const string ServerDatabaseUnusable = "ServerDatabaseUnusable";

    /// <summary>The file is not the exported configuration of a job, or it is damaged.</summary>
    public const string JobFileUnusable = "JobFileUnusable";

    /// <summary>
    /// The backup was changed between the plan of an operation and its execution.
    /// </summary>
    public const string BackupChanged = "BackupChanged";

    /// <summary>
    /// It is not known which blocks the versions of the backup need, because a part of it cannot be
    /// read.
    /// </summary>
    public const string NeedsUnknown = "NeedsUnknown";

    /// <summary>
    /// It is not certain which blocks of a backup are lost, because a part of it cannot be read.
    /// </summary>
    public const string LossesUnknown = "LossesUnknown";

    /// <summary>The record of a shard beside its plan is damaged.</summary>
    public const string ShardRecordDamaged = "ShardRecordDamaged";

    /// <summary>Shards of a plan are not restored, or failed; the message names them.</summary>
    public const string ShardsMissing = "ShardsMissing";

    /// <summary>
    /// Another process has taken the shard over, because this process sent no heartbeat.
    /// </summary>
    public const string ShardTaken = "ShardTaken";

    /// <summary>
    /// An option of the library has a value outside of its range; the message has the range.
    /// </summary>
    public const string OptionInvalid = "OptionInvalid";

    /// <summary>The location of the backup is neither a path nor a URL.</summary>
    public const string LocationInvalid = "LocationInvalid";

    /// <summary>The storage URL has no server.</summary>
    public const string UrlHostMissing = "UrlHostMissing";

    /// <summary>The storage URL has a port that is not a number from 1 to 65535.</summary>
    public const string UrlPortInvalid = "UrlPortInvalid";

    /// <summary>No store has the scheme of the URL.</summary>
    public const string SchemeUnknown = "SchemeUnknown";

    /// <summary>
    /// An option of the store has a value that cannot be used; the message says what it expects.
    /// </summary>
    public const string StoreOptionInvalid = "StoreOptionInvalid";

    /// <summary>This store cannot accept a certificate by its hash.</summary>
    public const string CertificateHashUnsupported = "CertificateHashUnsupported";

    /// <summary>Only one of access key and secret is given.</summary>
    public const string CredentialsIncomplete = "CredentialsIncomplete";

    /// <summary>The bucket is in another region.</summary>
    public const string BucketRegionWrong = "BucketRegionWrong";

    /// <summary>A filter expression is empty.</summary>
    public const string FilterEmpty = "FilterEmpty";

    /// <summary>A filter group is not known, or the operation takes none.</summary>
    public const string FilterGroupUnsupported = "FilterGroupUnsupported";

    /// <summary>A filter expression is not a regular expression.</summary>
    public const string FilterInvalid = "FilterInvalid";

    /// <summary>A regular expression exceeded its time limit.</summary>
    public const string FilterTooSlow = "FilterTooSlow";

    /// <summary>A path to restore is empty.</summary>
    public const string PathEmpty = "PathEmpty";

    /// <summary>
    /// The backup is from another system, so its entries have no original place here: a target is
    /// required.
    /// </summary>
    public const string TargetRequired = "TargetRequired";

    /// <summary>The passphrase has a line break, which GnuPG does not accept.</summary>
    public const string PassphraseMultiline = "PassphraseMultiline";

    /// <summary>The local database belongs to another backup.</summary>
    public const string DatabaseMismatch = "DatabaseMismatch";

    /// <summary>
    /// The time of a new version is not later than the time of the newest version.
    /// </summary>
    public const string VersionTimeTooOld = "VersionTimeTooOld";

    /// <summary>
    /// The destination has a backup of another kind, so this version cannot be added.
    /// </summary>
    public const string DestinationIncompatible = "DestinationIncompatible";

    /// <summary>
    /// No store has an option of this name; the message has similar names or all names.
    /// </summary>
    public const string StoreOptionUnknown = "StoreOptionUnknown";

    /// <summary>The saved plan is not a plan, or it is damaged.</summary>
    public const string PlanDamaged = "PlanDamaged";

    /// <summary>The file to write exists already.</summary>
    public const string OutputExists = "OutputExists";

    /// <summary>The record of a shard beside the plan belongs to another plan.</summary>
    public const string ShardPlanOther = "ShardPlanOther";

    /// <summary>The plan was made for another backup: the store has none of its volumes.</summary>
    public const string PlanBackupOther = "PlanBackupOther";

    /// <summary>The backup does not have the version of the plan, or no longer has it.</summary>
    public const string PlanVersionGone = "PlanVersionGone";

    /// <summary>
    /// The number of shards differs from the plan or from the shards that are already restored, or
    /// no shard has this number.
    /// </summary>
    public const string ShardCountWrong = "ShardCountWrong";

    /// <summary>The passphrase does not open the backup.</summary>
    public const string WrongPassphrase = "WrongPassphrase";

    /// <summary>The backup is encrypted, and no passphrase was given.</summary>
    public const string PassphraseMissing = "PassphraseMissing";

    /// <summary>The passphrase does not open the backup that a version is added to.</summary>
    public const string DestinationPassphraseWrong = "DestinationPassphraseWrong";

    /// <summary>Settings of a job are encrypted, and no key was given.</summary>
    public const string SettingsKeyMissing = "SettingsKeyMissing";

    /// <summary>Settings of a job are encrypted with another key.</summary>
    public const string SettingsKeyWrong = "SettingsKeyWrong";

    /// <summary>
    /// The exported configuration of a job is encrypted, and no passphrase was given.
    /// </summary>
    public const string JobFilePassphraseMissing = "JobFilePassphraseMissing";

    /// <summary>The passphrase does not open the exported configuration of a job.</summary>
    public const string JobFilePassphraseWrong = "JobFilePassphraseWrong";

    /// <summary>
    /// A new backup has no passphrase, and the options do not ask for a backup without encryption.
    /// </summary>
    public const string EncryptionUndecided = "EncryptionUndecided";

    /// <summary>The passphrase of a new backup has bytes that are not UTF-8 text.</summary>
    public const string PassphraseNotText = "PassphraseNotText";

    /// <summary>
    /// The passphrase of a new backup, or a new passphrase, has a line break or another control
    /// character.
    /// </summary>
    public const string PassphraseHasControls = "PassphraseHasControls";

    /// <summary>
    /// The passphrase of the backup cannot be changed: a volume is of another kind, or the new
    /// passphrase cannot be used.
    /// </summary>
    public const string PassphraseNotChangeable = "PassphraseNotChangeable";

    /// <summary>The local folder of the backup, or the file of a plan, does not exist.</summary>
    public const string LocationNotFound = "LocationNotFound";

    /// <summary>The location of the backup is a file.</summary>
    public const string LocationIsFile = "LocationIsFile";

    /// <summary>The folder does not exist at the store.</summary>
    public const string RemoteFolderNotFound = "RemoteFolderNotFound";

    /// <summary>The bucket does not exist.</summary>
    public const string BucketNotFound = "BucketNotFound";

    /// <summary>The configuration of rclone has no remote of this name.</summary>
    public const string RcloneRemoteNotFound = "RcloneRemoteNotFound";

    /// <summary>The folder has no volumes of a backup.</summary>
    public const string BackupNotFound = "BackupNotFound";

    /// <summary>The folder has several backups; the message has their prefixes.</summary>
    public const string SeveralBackups = "SeveralBackups";

    /// <summary>
    /// No backup in the folder has this prefix; the message has the existing prefixes.
    /// </summary>
    public const string PrefixNotFound = "PrefixNotFound";

    /// <summary>The backup has no file list left.</summary>
    public const string FileListsMissing = "FileListsMissing";

    /// <summary>The version does not exist; the message has the existing versions.</summary>
    public const string VersionNotFound = "VersionNotFound";

    /// <summary>The filter selects nothing.</summary>
    public const string NothingSelected = "NothingSelected";

    /// <summary>The local database does not exist.</summary>
    public const string DatabaseNotFound = "DatabaseNotFound";

    /// <summary>A source of a backup does not exist.</summary>
    public const string SourceNotFound = "SourceNotFound";

    /// <summary>
    /// A source of a backup cannot be looked at: the user may not, or its device does not answer.
    /// </summary>
    public const string SourceUnreadable = "SourceUnreadable";

    /// <summary>
    /// A source of a backup is an empty folder, and the options refuse empty sources.
    /// </summary>
    public const string SourceEmpty = "SourceEmpty";

    /// <summary>The version has no entry of this path.</summary>
    public const string EntryNotFound = "EntryNotFound";

    /// <summary>The entry is a folder or a link, which has no content of its own.</summary>
    public const string EntryIsNotFile = "EntryIsNotFile";

    /// <summary>There is no database of Duplicati's server.</summary>
    public const string ServerDatabaseNotFound = "ServerDatabaseNotFound";

    /// <summary>No job has this name; the message has the existing ones.</summary>
    public const string JobNotFound = "JobNotFound";

    /// <summary>Several jobs have this name; the message has their numbers and databases.</summary>
    public const string SeveralJobs = "SeveralJobs";

    /// <summary>The exported configuration of a job does not exist.</summary>
    public const string JobFileNotFound = "JobFileNotFound";

    /// <summary>The backup has no volume of this name; the message has similar names.</summary>
    public const string VolumeNotFound = "VolumeNotFound";

    /// <summary>The target cannot be used as a folder.</summary>
    public const string TargetUnusable = "TargetUnusable";

    /// <summary>The target is full.</summary>
    public const string TargetFull = "TargetFull";

    /// <summary>The disk quota at the target is used up.</summary>
    public const string TargetQuotaExceeded = "TargetQuotaExceeded";

    /// <summary>The file system of the target is read-only.</summary>
    public const string TargetReadOnly = "TargetReadOnly";

    /// <summary>The user is not allowed to write at the target.</summary>
    public const string TargetAccessDenied = "TargetAccessDenied";

    /// <summary>The target folder cannot be created.</summary>
    public const string TargetNotCreated = "TargetNotCreated";

    /// <summary>
    /// This system does not know an account of <see cref="RestoreOptions.MapOwners"/>.
    /// </summary>
    public const string AccountUnknown = "AccountUnknown";

    /// <summary>The volumes of a new version cannot be written to the destination.</summary>
    public const string DestinationNotWritable = "DestinationNotWritable";

    /// <summary>
    /// The target is gone: its folder was removed or unmounted, or its device no longer answers.
    /// </summary>
    public const string TargetLost = "TargetLost";

    /// <summary>The file to write cannot be made or written.</summary>
    public const string OutputNotWritable = "OutputNotWritable";

    /// <summary>There is no space for the file to write.</summary>
    public const string OutputFull = "OutputFull";

    /// <summary>
    /// A file to write is longer than its file system, or a limit of the process, allows.
    /// </summary>
    public const string FileTooLarge = "FileTooLarge";

    /// <summary>The disk quota is used up where a file outside of the target is written.</summary>
    public const string QuotaExceeded = "QuotaExceeded";

    /// <summary>Another restore writes the same files at the target.</summary>
    public const string TargetInUse = "TargetInUse";

    /// <summary>Another program writes to the backup, or ended without removing its lock.</summary>
    public const string BackupLocked = "BackupLocked";

    /// <summary>Nothing can be deleted from the store, because it only takes new files.</summary>
    public const string StoreAppendOnly = "StoreAppendOnly";

    /// <summary>Stores of this kind can only be read.</summary>
    public const string StoreReadOnly = "StoreReadOnly";

    /// <summary>A shard wrote to another target than the other shards.</summary>
    public const string ShardTargetOther = "ShardTargetOther";
}
