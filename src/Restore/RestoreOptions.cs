using System.Text.Json.Serialization;

namespace Restore;

/// <summary>What to restore, where to, and how. Defaults are those of the command line.</summary>
public sealed record RestoreOptions
{
    /// <summary>Folder to restore into; null restores every entry to its original place.</summary>
    public string? Target { get; init; }

    /// <summary>Which entries; the default takes all.</summary>
    [JsonIgnore]
    public EntryFilter Filter { get; init; } = EntryFilter.All;

    /// <summary>Whether a differing file at the target is replaced. If not, the restored one gets a new name beside it.</summary>
    public bool Overwrite { get; init; }

    /// <summary>Leaves out times, modes, attributes and (their target is metadata) links.</summary>
    public bool SkipMetadata { get; init; }

    /// <summary>Restores mode, owner and group too.</summary>
    public bool RestorePermissions { get; init; }

    /// <summary>Keeps the full original path below the target instead of cutting off what all entries have in common.</summary>
    public bool DontCompressRestorePaths { get; init; }

    /// <summary>Creates links whose target is outside of <see cref="Target"/>.</summary>
    public bool AllowRestoreOutsideTargetDirectory { get; init; }

    /// <summary>Takes blocks from the files at the original places, when they are still there.</summary>
    public bool RestoreWithLocalBlocks { get; init; }

    /// <summary>A drill: fetch, decrypt, decode and verify everything, write nothing.</summary>
    public bool VerifyOnly { get; init; }

    /// <summary>The legacy flow, sequential: volume by volume through a temporary file, verified in a second pass.</summary>
    public bool Legacy { get; init; }

    /// <summary>Takes a file at the target whose size and time are those of the backup as right, without reading it.</summary>
    public bool TrustTimes { get; init; }

    /// <summary>
    /// Whether parts of volumes are read, where the store and the volume allow it. Their authentication code is not checked then; each block is, by its
    /// own hash.
    /// </summary>
    public RangeReads RangeReads { get; init; }

    /// <summary>How many bytes a request to the store is worth; null is 256 KiB, and 16 KiB where the store is on this machine.</summary>
    public long? RequestCostBytes { get; init; }

    /// <summary>Files are given their full length before they are written.</summary>
    public bool PreallocateSize { get; init; }

    /// <summary>
    /// Compacts the managed heap of the whole process between the steps of planning a large version, which lowers the peak memory. For a process that only
    /// restores; in a process that does other work too it makes that work wait.
    /// </summary>
    public bool CompactsMemory { get; init; }

    /// <summary>Measures in the ports of the processes, for <see cref="RestoreReport.Profile"/>.</summary>
    public bool Profile { get; init; }

    /// <summary>Copies of FileProcessor and TargetScanner; null lets the network choose.</summary>
    public int? FileProcessors { get; init; }

    /// <summary>Copies of VolumeDownloader; null lets the network choose.</summary>
    public int? VolumeDownloaders { get; init; }

    /// <summary>Copies of VolumeDecryptor; null lets the network choose.</summary>
    public int? VolumeDecryptors { get; init; }

    /// <summary>Copies of VolumeDecompressor; null lets the network choose.</summary>
    public int? VolumeDecompressors { get; init; }

    /// <summary>Capacity of each channel in batches; null lets the network choose.</summary>
    public int? ChannelBufferSize { get; init; }

    /// <summary>Most bytes of blocks kept in the block store; 0 writes each block at once. Never more than a quarter of the machine's memory.</summary>
    public long CacheMaxBytes { get; init; } = 4L << 30;

    /// <summary>Percent of the block store given up when it is full.</summary>
    public int CacheEvictPercent { get; init; } = 50;

    /// <summary>Most bytes of volumes in flight; null is 64 MiB (256 MiB when they come whole from a remote store) or two volumes, if that is more.</summary>
    public long? VolumeCacheHintBytes { get; init; }
}
