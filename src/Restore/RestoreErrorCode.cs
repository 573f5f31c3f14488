namespace Restore;

/// <summary>
/// Identifies failures that end an operation and that a host may have advice for. The hundreds are the <see cref="RestoreErrorKind"/>. The meaning of
/// a number never changes.
/// </summary>
public enum RestoreErrorCode
{
    /// <summary>A failure that no part of the library expects; the inner exception is the cause.</summary>
    Unexpected = 0,

    /// <summary>The store did not answer the request for its list of files, after all retries.</summary>
    StoreUnreachable = 1,

    /// <summary>The store stopped answering while volumes were read.</summary>
    StoreLost = 2,

    /// <summary>The user must not list the backup's folder.</summary>
    AccessRefused = 3,

    /// <summary>The store's list of files cannot be read.</summary>
    ListingFailed = 4,

    /// <summary>The folder lists more files than a backup has.</summary>
    ListingTooLong = 5,

    /// <summary>The local folder of the backup cannot be listed.</summary>
    FolderUnreadable = 6,

    /// <summary>The store refused the user name, the password or the access key.</summary>
    CredentialsRefused = 7,

    /// <summary>The store needs credentials, and none were given.</summary>
    CredentialsMissing = 8,

    /// <summary>The server's certificate is not trusted; the message has its hash.</summary>
    CertificateUntrusted = 9,

    /// <summary>The server redirects to another host, which gets no credentials.</summary>
    RedirectRefused = 10,

    /// <summary>The server does not speak WebDAV at this address.</summary>
    NotWebDav = 11,

    /// <summary>The program rclone is not installed.</summary>
    RcloneMissing = 12,

    /// <summary>A program that a store needs cannot be started or used.</summary>
    ProgramUnusable = 13,

    /// <summary>The program ssh-keyscan is not installed.</summary>
    SshKeyscanMissing = 14,

    /// <summary>The key of the SSH server is unknown; the message has the keys that it offers.</summary>
    SshServerUnknown = 15,

    /// <summary>None of the SSH server's keys has the given fingerprint.</summary>
    SshServerChanged = 16,

    /// <summary>The SSH server used another key than the one with the given fingerprint.</summary>
    SshKeyMismatch = 17,

    /// <summary>The private SSH key cannot be used.</summary>
    SshKeyUnusable = 18,

    /// <summary>The backup is encrypted with GnuPG, and the program is missing.</summary>
    GpgMissing = 19,

    /// <summary>GnuPG cannot be started.</summary>
    GpgUnusable = 20,

    /// <summary>The local database cannot be used.</summary>
    DatabaseUnusable = 21,

    /// <summary>The file list of the version cannot be used.</summary>
    FileListUnusable = 22,

    /// <summary>The header of the file list asks for more rounds of key derivation than <see cref="BackupOptions.MaxKeyIterations"/>.</summary>
    KeyIterationsExceeded = 23,

    /// <summary>None of the file lists is encrypted, though other volumes are, and <see cref="BackupOptions.AllowUnencrypted"/> is off.</summary>
    FileListsUnencrypted = 24,

    /// <summary>The file list is encrypted to a GnuPG key, and <see cref="BackupOptions.AllowGpgKeys"/> is off.</summary>
    EncryptedToKey = 25,

    /// <summary>The process may open too few files for its own code and a restore.</summary>
    OpenFilesTooFew = 26,

    /// <summary>The database of Duplicati's server cannot be used.</summary>
    ServerDatabaseUnusable = 27,

    /// <summary>The file is not the exported configuration of a job, or it is damaged.</summary>
    JobFileUnusable = 28,

    /// <summary>The backup was changed between the plan of an operation and its execution.</summary>
    BackupChanged = 40,
    /// <summary>It is not known which blocks the versions of the backup need, because a part of it cannot be read.</summary>
    NeedsUnknown = 41,
    /// <summary>It is not certain which blocks of a backup are lost, because a part of it cannot be read.</summary>
    LossesUnknown = 42,
    /// <summary>The record of a shard beside its plan is damaged.</summary>
    ShardRecordDamaged = 29,
    /// <summary>Shards of a plan are not restored, or failed; the message names them.</summary>
    ShardsMissing = 30,
    /// <summary>Another process has taken the shard over, because this one gave no sign of life.</summary>
    ShardTaken = 31,

    /// <summary>An option of the library has a value outside of its range; the message has the range.</summary>
    OptionInvalid = 100,

    /// <summary>The location of the backup is neither a path nor a URL.</summary>
    LocationInvalid = 101,

    /// <summary>The storage URL has no server.</summary>
    UrlHostMissing = 102,

    /// <summary>The storage URL has a port that is not a number from 1 to 65535.</summary>
    UrlPortInvalid = 103,

    /// <summary>No store has the scheme of the URL.</summary>
    SchemeUnknown = 104,

    /// <summary>An option of the store has a value that cannot be used; the message says what it expects.</summary>
    StoreOptionInvalid = 105,

    /// <summary>This store cannot accept a certificate by its hash.</summary>
    CertificateHashUnsupported = 106,

    /// <summary>Only one of access key and secret is given.</summary>
    CredentialsIncomplete = 107,

    /// <summary>The bucket is in another region.</summary>
    BucketRegionWrong = 108,

    /// <summary>A filter expression is empty.</summary>
    FilterEmpty = 109,

    /// <summary>A filter group selects nothing on restore.</summary>
    FilterGroupUnsupported = 110,

    /// <summary>A filter expression is not a regular expression.</summary>
    FilterInvalid = 111,

    /// <summary>A regular expression exceeded its time limit.</summary>
    FilterTooSlow = 112,

    /// <summary>A path to restore is empty.</summary>
    PathEmpty = 113,

    /// <summary>The backup is from another system, so its entries have no original place here: a target is required.</summary>
    TargetRequired = 114,

    /// <summary>The passphrase has a line break, which GnuPG does not accept.</summary>
    PassphraseMultiline = 115,

    /// <summary>The local database belongs to another backup.</summary>
    DatabaseMismatch = 116,

    /// <summary>The time of a new version is not later than that of the newest version.</summary>
    VersionTimeTooOld = 117,

    /// <summary>The destination has a backup of another kind, so this version cannot be added.</summary>
    DestinationIncompatible = 118,

    /// <summary>No store has an option of this name; the message has similar names or all names.</summary>
    StoreOptionUnknown = 119,

    /// <summary>The saved plan is not a plan, or it is damaged.</summary>
    PlanDamaged = 120,

    /// <summary>The file to write exists already.</summary>
    OutputExists = 121,
    /// <summary>The record of a shard beside the plan belongs to another plan.</summary>
    ShardPlanOther = 122,
    /// <summary>The plan was made for another backup: the store has none of its volumes.</summary>
    PlanBackupOther = 123,
    /// <summary>The backup does not have the version of the plan, or no longer.</summary>
    PlanVersionGone = 124,
    /// <summary>The number of shards is not that of the plan, or of the shards that are restored already; or there is no shard of this number.</summary>
    ShardCountWrong = 125,

    /// <summary>The passphrase does not open the backup.</summary>
    WrongPassphrase = 200,

    /// <summary>The backup is encrypted, and no passphrase was given.</summary>
    PassphraseMissing = 201,

    /// <summary>The passphrase does not open the backup that a version is added to.</summary>
    DestinationPassphraseWrong = 202,

    /// <summary>Settings of a job are encrypted, and no key was given.</summary>
    SettingsKeyMissing = 203,

    /// <summary>Settings of a job are encrypted with another key.</summary>
    SettingsKeyWrong = 204,

    /// <summary>The exported configuration of a job is encrypted, and no passphrase was given.</summary>
    JobFilePassphraseMissing = 205,

    /// <summary>The passphrase does not open the exported configuration of a job.</summary>
    JobFilePassphraseWrong = 206,
    /// <summary>A new backup was neither given a passphrase nor asked for without encryption.</summary>
    EncryptionUndecided = 207,

    /// <summary>The local folder of the backup does not exist.</summary>
    LocationNotFound = 300,

    /// <summary>The location of the backup is a file.</summary>
    LocationIsFile = 301,

    /// <summary>The folder does not exist at the store.</summary>
    RemoteFolderNotFound = 302,

    /// <summary>The bucket does not exist.</summary>
    BucketNotFound = 303,

    /// <summary>The configuration of rclone has no remote of this name.</summary>
    RcloneRemoteNotFound = 304,

    /// <summary>The folder has no volumes of a backup.</summary>
    BackupNotFound = 305,

    /// <summary>The folder has several backups; the message has their prefixes.</summary>
    SeveralBackups = 306,

    /// <summary>No backup in the folder has this prefix; the message has the existing prefixes.</summary>
    PrefixNotFound = 307,

    /// <summary>The backup has no file list left.</summary>
    FileListsMissing = 308,

    /// <summary>The version does not exist; the message has the existing versions.</summary>
    VersionNotFound = 309,

    /// <summary>The filter selects nothing.</summary>
    NothingSelected = 310,

    /// <summary>The local database does not exist.</summary>
    DatabaseNotFound = 311,

    /// <summary>A source of a backup does not exist.</summary>
    SourceNotFound = 312,

    /// <summary>The version has no entry of this path.</summary>
    EntryNotFound = 313,

    /// <summary>The entry is a folder or a link, which has no content of its own.</summary>
    EntryIsNotFile = 314,

    /// <summary>There is no database of Duplicati's server.</summary>
    ServerDatabaseNotFound = 315,

    /// <summary>No job has this name; the message has the existing ones.</summary>
    JobNotFound = 316,

    /// <summary>Several jobs have this name; the message has their numbers and databases.</summary>
    SeveralJobs = 317,

    /// <summary>The exported configuration of a job does not exist.</summary>
    JobFileNotFound = 318,

    /// <summary>The backup has no volume of this name; the message has similar names.</summary>
    VolumeNotFound = 319,

    /// <summary>The target cannot be used as a folder.</summary>
    TargetUnusable = 400,

    /// <summary>The target is full.</summary>
    TargetFull = 401,

    /// <summary>The disk quota at the target is used up.</summary>
    TargetQuotaExceeded = 402,

    /// <summary>The file system of the target is read-only.</summary>
    TargetReadOnly = 403,

    /// <summary>The user must not write at the target.</summary>
    TargetAccessDenied = 404,

    /// <summary>The target folder cannot be created.</summary>
    TargetNotCreated = 405,

    /// <summary>The volumes of a new version cannot be written to the destination.</summary>
    DestinationNotWritable = 406,
    /// <summary>The target is gone: its folder was removed or unmounted, or its device no longer answers.</summary>
    TargetLost = 407,
    /// <summary>The file to write cannot be made or written.</summary>
    OutputNotWritable = 408,
    /// <summary>There is no space for the file to write.</summary>
    OutputFull = 409,
    /// <summary>Another program writes to the backup, or did so until it ended without a word.</summary>
    BackupLocked = 410,
    /// <summary>Nothing can be deleted from the store, because it only takes new files.</summary>
    StoreAppendOnly = 411,
    /// <summary>Stores of this kind can only be read.</summary>
    StoreReadOnly = 412,
    /// <summary>A shard wrote to another target than the other ones.</summary>
    ShardTargetOther = 413,
}
