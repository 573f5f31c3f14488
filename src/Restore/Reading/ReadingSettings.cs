namespace Restore.Reading;

/// <summary>What the block stream takes of the tuning options, resolved and checked.</summary>
/// <param name="VolumeDownloaders">Copies of VolumeDownloader.</param>
/// <param name="AdaptsDownloads">Whether fewer of these transfer at once, as the link has it.</param>
/// <param name="VolumeDecryptors">Copies of VolumeDecryptor.</param>
/// <param name="VolumeDecompressors">Copies of VolumeDecompressor.</param>
/// <param name="ChannelCapacity">Capacity of each channel, in messages.</param>
/// <param name="BytesInFlight">Most bytes of volumes in memory at once; null to choose by the size of the volumes.</param>
internal sealed record ReadingSettings(
    int VolumeDownloaders, bool AdaptsDownloads, int VolumeDecryptors, int VolumeDecompressors, int ChannelCapacity, long? BytesInFlight);
