namespace Restore;

/// <summary>How a restore uses this machine and the link: what changes its speed or its memory, never what it restores or reports.</summary>
/// <remarks>Which flow runs and whether the report has a profile are choices of the caller: they are in <see cref="RestoreOptions"/>.</remarks>
public sealed record RestoreTuning
{
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
