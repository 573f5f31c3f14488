namespace Restore;

/// <summary>
/// How a restore uses this machine and the link: changes its speed or its memory, never what it
/// restores or reports.
/// </summary>
/// <remarks>
/// The flow and the profile are choices of the caller: they are in <see cref="ExecuteOptions"/>.
/// </remarks>
public sealed record RestoreTuning
{
    /// <summary>
    /// Whether parts of volumes are read, if store and volume allow it. The authentication code of
    /// such a volume is not checked; each block is verified by its own hash.
    /// </summary>
    public RangeReads RangeReads { get; init; }

    /// <summary>
    /// The cost of a request to the store, in bytes; null for 256 KiB, or 16 KiB if the store is on
    /// this machine.
    /// </summary>
    public long? RequestCostBytes { get; init; }

    /// <summary>Gives files their full length before writing them.</summary>
    public bool PreallocateSize { get; init; }

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

    /// <summary>
    /// Limit of the bytes in the block store; 0 writes each block immediately. Never more than a
    /// quarter of the machine's memory.
    /// </summary>
    public long CacheMaxBytes { get; init; } = 4L << 30;

    /// <summary>Percent of the block store that is freed when it is full.</summary>
    public int CacheEvictPercent { get; init; } = 50;

    /// <summary>
    /// Limit of the bytes of volumes in flight; null for 64 MiB (256 MiB if they come whole from a
    /// remote store) or, if larger, two volumes, or one for every two cores as far as they take at
    /// most 400 MiB and a sixteenth of the memory.
    /// </summary>
    public long? VolumeCacheHintBytes { get; init; }
}
