using Microsoft.Extensions.Logging.Abstractions;

namespace Restore.Writing;

/// <summary>
/// What to back up, where, and how. The defaults are Duplicati's, except for the compression level,
/// which is 6 instead of 9.
/// </summary>
public sealed record BackupWriterOptions
{
    /// <summary>
    /// The folders (or single files) to back up. Special files in them are left out.
    /// </summary>
    public required IReadOnlyList<string> Sources { get; init; }

    /// <summary>
    /// Where the volumes go: a folder or a storage URL; made if it does not exist. A place with a
    /// backup of the same prefix gets another version.
    /// </summary>
    public required string Destination { get; init; }

    /// <summary>The kinds of stores that <see cref="Destination"/> can name.</summary>
    public StoreRegistry Stores { get; init; } = StoreRegistry.Default;

    /// <summary>
    /// Options of the store by name, without dashes, as in
    /// <see cref="BackupOptions.StoreOptions"/>.
    /// </summary>
    public IReadOnlyDictionary<string, string> StoreOptions { get; init; } = new Dictionary<string, string>();

    /// <summary>
    /// The passphrase to encrypt with (AES Crypt version 2), or null for unencrypted volumes.
    /// </summary>
    public string? Passphrase { get; init; }

    /// <summary>
    /// Refuses to begin a new backup without a passphrase. A backup that is not encrypted gets
    /// further versions.
    /// </summary>
    public bool RefuseUnencrypted { get; init; }

    /// <summary>
    /// Length of a block, 1 KiB to 512 MiB. Null uses the block size of the backup, or 1 MiB for a
    /// new one. A backup keeps the block size of its first version.
    /// </summary>
    public int? BlockSizeBytes { get; init; }

    /// <summary>
    /// Size limit of a block volume: at least two blocks and 16 KiB, at most 1 GiB, since volumes
    /// are built in memory.
    /// </summary>
    public int VolumeSizeBytes { get; init; } = 50 << 20;

    /// <summary>
    /// Hash of blocks: MD5, SHA1, SHA256, SHA384 or SHA512. Null uses the hash of the backup, or
    /// SHA256 for a new one.
    /// </summary>
    public string? BlockHash { get; init; }

    /// <summary>
    /// Hash of whole files, metadata and volumes: MD5, SHA1, SHA256, SHA384 or SHA512. Null uses
    /// the hash of the backup, or SHA256 for a new one.
    /// </summary>
    public string? FileHash { get; init; }

    /// <summary>
    /// Deflate level from 1 (fast) to 9 (small); 0 stores blocks uncompressed. Blocks that do not
    /// shrink are stored uncompressed anyway.
    /// </summary>
    public int CompressionLevel { get; init; } = 6;

    /// <summary>
    /// File name extensions, with the dot, of files to store uncompressed because their content is
    /// already compressed.
    /// </summary>
    public IReadOnlyList<string> StoredExtensions { get; init; } = StoredFileTypes.Default;

    /// <summary>
    /// Prefix of the names of the volumes. Null uses the prefix of the only backup at the
    /// destination, or "duplicati" for a new one.
    /// </summary>
    public string? Prefix { get; init; }

    /// <summary>
    /// The time of the version, in whole seconds; null for now, or a second after the newest
    /// version if that is later.
    /// </summary>
    public DateTimeOffset? Time { get; init; }

    /// <summary>
    /// Which entries of the sources to take; a folder that it leaves out is not looked into. The
    /// sources themselves are always taken.
    /// </summary>
    public EntryFilter Filter { get; init; } = EntryFilter.All;

    /// <summary>Leaves out files and folders that have one of these attributes.</summary>
    public FileAttributes ExcludedAttributes { get; init; }

    /// <summary>Leaves out larger files; null for no limit.</summary>
    public long? MaxFileSizeBytes { get; init; }

    /// <summary>
    /// Names of files that mark the folder in which they are: it is left out with all that is in
    /// it, unless it is a source.
    /// </summary>
    public IReadOnlyList<string> MarkerFiles { get; init; } = ["CACHEDIR.TAG"];

    /// <summary>
    /// Takes entries that the extended attribute <c>user.duplicati.exclude</c> marks; otherwise
    /// they are left out. Only on Linux.
    /// </summary>
    public bool TakeMarkedEntries { get; init; }

    /// <summary>
    /// Leaves out folders without a file or link that is taken, at any depth. The sources stay.
    /// </summary>
    public bool ExcludeEmptyFolders { get; init; }

    /// <summary>
    /// Continues if a source does not exist, as long as another one does; the report warns of the
    /// missing source.
    /// </summary>
    public bool AllowMissingSources { get; init; }

    /// <summary>
    /// Refuses a source that is an empty folder, such as the mount point of a disk that is not
    /// mounted.
    /// </summary>
    public bool RefuseEmptySources { get; init; }

    /// <summary>
    /// Refuses a destination that is a folder of this machine and does not exist, instead of making
    /// it.
    /// </summary>
    public bool RequireDestination { get; init; }

    /// <summary>
    /// The full paths of what may have changed since the newest version: only these are looked at,
    /// and everything else is taken over from that version. If null, or if no version can be built
    /// on, everything is looked at.
    /// </summary>
    public IReadOnlyList<string>? ChangedPaths { get; init; }

    /// <summary>
    /// With <see cref="ChangedPaths"/>: the full paths of deleted entries. A folder stands for
    /// everything that was in it.
    /// </summary>
    public IReadOnlyList<string> DeletedPaths { get; init; } = [];

    /// <summary>
    /// Receives what is taken and left out, from one thread, in the order of the walk; null if it
    /// is not needed.
    /// </summary>
    public IProgress<SourceDecision>? Decisions { get; init; }

    /// <summary>What to do with symbolic links.</summary>
    public SymlinkPolicy Symlinks { get; init; }

    /// <summary>What to do with files that have several names. Only on Linux.</summary>
    public HardlinkPolicy Hardlinks { get; init; }

    /// <summary>
    /// Reads every file. By default, a file with the same size and time as in the newest version is
    /// not read again.
    /// </summary>
    public bool ReadAll { get; init; }

    /// <summary>Writes no version if it would be equal to the newest one.</summary>
    public bool SkipUnchanged { get; init; }

    /// <summary>
    /// Leaves out times, modes, owners and attributes. Links cannot be restored then, because their
    /// target is metadata.
    /// </summary>
    public bool SkipMetadata { get; init; }

    /// <summary>
    /// Copies of the processes that hash, compress and encrypt; null for the number of cores.
    /// </summary>
    public int? Concurrency { get; init; }

    /// <summary>
    /// Copies of the process that reads and hashes files; null for <see cref="Concurrency"/>.
    /// </summary>
    public int? FileReaders { get; init; }

    /// <summary>
    /// Copies of the process that compresses; null for <see cref="Concurrency"/>.
    /// </summary>
    public int? Compressors { get; init; }

    /// <summary>
    /// Most volumes that are sent to a remote store at a time; each is in memory meanwhile.
    /// </summary>
    public int Uploads { get; init; } = 4;

    /// <summary>Does everything but write: the report says what would be written.</summary>
    public bool DryRun { get; init; }

    /// <summary>
    /// Ends the backup early: the files that are being read are finished, and a version with what
    /// was read is written, marked as partial. Before a file was read it cancels.
    /// </summary>
    public CancellationToken StopToken { get; init; }

    /// <summary>
    /// Removes the lock of another writer. Use it only if that writer ended without removing its
    /// lock.
    /// </summary>
    public bool BreakLock { get; init; }

    /// <summary>
    /// Measures the processes, for <see cref="BackupWriterReport.Profile"/> and
    /// <see cref="BackupWriterReport.Stages"/>.
    /// </summary>
    public bool Profile { get; init; }

    /// <summary>Receives the progress, a few times a second; null for none.</summary>
    public IProgress<BackupWriterProgress>? Progress { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Creates the logger.</summary>
    public ILoggerFactory LoggerFactory { get; init; } = NullLoggerFactory.Instance;

    /// <summary>
    /// Only the type: the text that the compiler would generate contains the passphrase.
    /// </summary>
    public override string ToString() => nameof(BackupWriterOptions);
}
