namespace Restore.Reading;

/// <summary>The tuning options of the block stream, resolved and checked.</summary>
/// <param name="VolumeDownloaders">Copies of VolumeDownloader.</param>
/// <param name="AdaptsDownloads">Whether the number of concurrent transfers adapts to the link.</param>
/// <param name="VolumeDecryptors">Copies of VolumeDecryptor.</param>
/// <param name="VolumeDecompressors">Copies of VolumeDecompressor.</param>
/// <param name="ChannelCapacity">Capacity of each channel, in messages.</param>
/// <param name="BytesInFlight">Limit of the bytes of volumes in memory; null to choose by the size of the volumes.</param>
internal sealed record ReadingSettings(
    int VolumeDownloaders, bool AdaptsDownloads, int VolumeDecryptors, int VolumeDecompressors, int ChannelCapacity, long? BytesInFlight)
{
    /// <summary>How many volumes are in memory at once, if that is not chosen by their bytes: as many as keep the cores busy.</summary>
    public int VolumesInFlight { get; init; } = 2;
}
