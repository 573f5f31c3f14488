namespace Restore;

/// <summary>Which issue it is: one code for each that a host may have advice for. Numbers never change their meaning.</summary>
public enum IssueCode
{
    /// <summary>No code: the kind and the reason say all there is.</summary>
    None = 0,

    /// <summary>The target of a link is outside of the target folder, and <see cref="RestoreOptions.AllowRestoreOutsideTargetDirectory"/> is off.</summary>
    LinkOutsideTarget = 1,

    /// <summary>A folder is where the entry goes.</summary>
    FolderInTheWay = 2,

    /// <summary>Something else is where the entry goes, at all the names beside it too, and <see cref="RestoreOptions.Overwrite"/> is off.</summary>
    NamesTaken = 3,

    /// <summary>The user may not read or write there.</summary>
    AccessDenied = 4,

    /// <summary>The entry is larger than what is free at the target.</summary>
    TargetTooSmall = 5,

    /// <summary>The selected entries have more blocks than one plan holds.</summary>
    TooManyBlocks = 6,

    /// <summary>A link needs its metadata, which <see cref="RestoreOptions.SkipMetadata"/> leaves out.</summary>
    LinkWithoutMetadata = 7,

    /// <summary>A local file changed while blocks were taken from it.</summary>
    LocalFileChanged = 8,

    /// <summary>The process has as many files open as it may.</summary>
    TooManyOpenFiles = 9,

    /// <summary>The local database contradicts itself; direct restores do not need it.</summary>
    DatabaseContradictory = 10,

    /// <summary>The folder of <see cref="BackupOptions.CacheDirectory"/> cannot be used.</summary>
    CacheUnusable = 11,

    /// <summary>The header of a volume asks for more rounds of key derivation than <see cref="BackupOptions.MaxKeyIterations"/>.</summary>
    KeyIterationsExceeded = 12,

    /// <summary>A volume uses a compression method that cannot be decoded on this machine.</summary>
    MethodUnsupported = 13,
}
