namespace Restore.Reading;

/// <summary>The tuning options of the block stream, resolved and checked.</summary>
/// <param name="AdaptsDownloads">Whether the number of concurrent transfers adapts to the
/// link.</param>
/// <param name="BytesInFlight">Limit of the bytes of volumes in memory; null to choose by the size
/// of the volumes.</param>
internal sealed record ReadingSettings(
    int VolumeDownloaders,
    bool AdaptsDownloads,
    int VolumeDecryptors,
    int VolumeDecompressors,
    int ChannelCapacity,
    long? BytesInFlight
)
{
    /// <summary>
    /// How many volumes are in memory at the same time, if their bytes do not decide that: as many
    /// as keep the cores busy.
    /// </summary>
    public int VolumesInFlight { get; init; } = 2;

    /// <summary>Whether each volume passes through a temporary file.</summary>
    public bool UsesSpool { get; init; }
}
