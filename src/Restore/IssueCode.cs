namespace Restore;

/// <summary>
/// Identifies issues that a host may have advice for. The meaning of a number never changes.
/// </summary>
public enum IssueCode
{
    /// <summary>No code: the kind and the reason say everything.</summary>
    None = 0,

    /// <summary>
    /// The target of a link is outside of the target folder, and
    /// <see cref="RestoreOptions.AllowRestoreOutsideTargetDirectory"/> is off.
    /// </summary>
    LinkOutsideTarget = 1,

    /// <summary>A folder is at the path of the entry.</summary>
    FolderInTheWay = 2,

    /// <summary>
    /// Something else is at the path of the entry and at all names beside it, and
    /// <see cref="RestoreOptions.Overwrite"/> is off.
    /// </summary>
    NamesTaken = 3,

    /// <summary>Access to the path is denied.</summary>
    AccessDenied = 4,

    /// <summary>The entry is larger than the free space at the target.</summary>
    TargetTooSmall = 5,

    /// <summary>The selected entries have more blocks than one plan can hold.</summary>
    TooManyBlocks = 6,

    /// <summary>The system does not let this user make symbolic links.</summary>
    LinkNotAllowed = 27,

    /// <summary>
    /// Access rules of the entry are for an account that this system does not know.
    /// <see cref="RestoreOptions.MapOwners"/> can name another one. Only the first entry with each
    /// account has this issue.
    /// </summary>
    AccountUnknown = 41,

    /// <summary>
    /// A link needs its metadata, which <see cref="RestoreOptions.SkipMetadata"/> leaves out.
    /// </summary>
    LinkWithoutMetadata = 7,

    /// <summary>A local file changed while blocks were taken from it.</summary>
    LocalFileChanged = 8,

    /// <summary>The process has reached its limit of open files.</summary>
    TooManyOpenFiles = 9,

    /// <summary>
    /// The local database contradicts itself; a restore without a database does not need it.
    /// </summary>
    DatabaseContradictory = 10,

    /// <summary>The folder of <see cref="BackupOptions.CacheDirectory"/> cannot be used.</summary>
    CacheUnusable = 11,

    /// <summary>
    /// The header of a volume asks for more rounds of key derivation than
    /// <see cref="BackupOptions.MaxKeyIterations"/>.
    /// </summary>
    KeyIterationsExceeded = 12,

    /// <summary>
    /// A volume uses a compression method that cannot be decoded on this machine.
    /// </summary>
    MethodUnsupported = 13,

    /// <summary>
    /// A file list or an index volume is not encrypted though the backup is, and
    /// <see cref="BackupOptions.AllowUnencrypted"/> is off: it is left out.
    /// </summary>
    UnencryptedVolume = 14,

    /// <summary>There is a passphrase, and nothing in the backup is encrypted.</summary>
    NothingEncrypted = 15,

    /// <summary>
    /// A GnuPG volume is encrypted to a key, and <see cref="BackupOptions.AllowGpgKeys"/> is off.
    /// </summary>
    EncryptedToKey = 16,

    /// <summary>The device reported a failure when what was written was flushed.</summary>
    NotFlushed = 17,

    /// <summary>The entry has another name at the target than in the backup.</summary>
    Renamed = 18,

    /// <summary>
    /// The store refuses access to a volume: nothing says that the volume is damaged.
    /// </summary>
    VolumeRefused = 19,

    /// <summary>
    /// A volume is damaged or missing, its parity file is there, and the program that could use it
    /// is not.
    /// </summary>
    ParityProgramMissing = 20,

    /// <summary>The record of an interrupted restore at the target cannot be used.</summary>
    RecordUnusable = 21,

    /// <summary>
    /// A restored file is damaged, and did not replace the file that it should have replaced: it is
    /// beside it.
    /// </summary>
    DamagedBeside = 22,

    /// <summary>
    /// The blocks of the entry are longer than <see cref="BackupOptions.MaxBlockSizeBytes"/>.
    /// </summary>
    BlocksTooLong = 23,

    /// <summary>
    /// There is no room for a second copy of the file, so the one at the target is changed in
    /// place.
    /// </summary>
    PatchedInPlace = 24,

    /// <summary>
    /// The file or link at the target stays, as <see cref="RestoreOptions.Keep"/> says.
    /// </summary>
    KeptAtTarget = 25,

    /// <summary>
    /// The file is longer than its file system, or a limit of the process, allows.
    /// </summary>
    FileTooLarge = 26,

    /// <summary>Blocks that entries need are in no volume.</summary>
    BlocksLost = 28,

    /// <summary>
    /// The archive of a file list is damaged, and all entries of the list could be read.
    /// </summary>
    FileListDamaged = 29,

    /// <summary>
    /// A file list is cut or damaged: entries of the version are missing, and it is not known
    /// which.
    /// </summary>
    FileListIncomplete = 30,

    /// <summary>
    /// A file list fails its authentication, and is used because
    /// <see cref="BackupOptions.AllowUnauthenticLists"/> is on.
    /// </summary>
    FileListUnauthentic = 31,

    /// <summary>The local database cannot be used; the volumes are read instead.</summary>
    DatabaseUnusable = 32,

    /// <summary>
    /// A file list is the start of another one: its upload broke off, and it never was a version.
    /// </summary>
    FileListUnfinished = 33,

    /// <summary>
    /// A file looks like a volume that somebody renamed, and the volume is not there.
    /// </summary>
    VolumeRenamed = 34,

    /// <summary>
    /// An empty file of a cloud's client stands for a volume that is not on this disk.
    /// </summary>
    VolumePlaceholder = 35,

    /// <summary>
    /// A file looks like a part of a volume that did not arrive whole, and the volume is not there.
    /// </summary>
    VolumeUnfinished = 36,

    /// <summary>
    /// A volume is damaged or not there, and a copy of it that a sync program made is read.
    /// </summary>
    VolumeCopyUsed = 37,

    /// <summary>
    /// A volume is in archive storage: the store has to restore it before it can be read.
    /// </summary>
    VolumeFrozen = 38,

    /// <summary>
    /// A volume is too long to be read on this machine: nothing says that it is damaged.
    /// </summary>
    VolumeTooLarge = 39,

    /// <summary>The content of a volume is of another kind than its name says.</summary>
    VolumeMisnamed = 40,

    /// <summary>
    /// Blocks that entries need are in no volume that could be read, and volumes that could not be
    /// read (in archive storage, or without the right to read them) may have them.
    /// </summary>
    LossesUncertain = 43,

    /// <summary>
    /// The original place of a source is behind a link of this machine that is not followed.
    /// </summary>
    LinkAboveSource = 44,

    /// <summary>
    /// Only suspect versions have the file, so it is left out: see
    /// <see cref="Backup.PlanLastGoodAsync"/>.
    /// </summary>
    OnlySuspect = 42,
}
