namespace Restore.Maintenance;

/// <summary>
/// When a compact rewrites volumes. Duplicati's rules; the defaults are Duplicati's.
/// </summary>
public sealed record CompactOptions
{
    /// <summary>
    /// A volume is wasteful if no version needs this share of its blocks, or blocks of this share
    /// of <see cref="VolumeSizeBytes"/>; in percent, from 0 to 100. Wasteful volumes are rewritten
    /// if there are at least two, and if they waste this share of all blocks.
    /// </summary>
    public int ThresholdPercent { get; init; } = 25;

    /// <summary>
    /// The size limit of new block volumes; null for 50 MiB, or the size of the largest block
    /// volume if it is larger. At most 1 GiB.
    /// </summary>
    public int? VolumeSizeBytes { get; init; }

    /// <summary>
    /// A block volume of at most this size is small; null for a fifth of the size of volumes.
    /// </summary>
    public long? SmallFileSizeBytes { get; init; }

    /// <summary>
    /// Small volumes are rewritten if there are more of them than this, or if together they are
    /// longer than a volume may be.
    /// </summary>
    public int SmallFileMaxCount { get; init; } = 20;
}
