namespace Restore.Catalog;

/// <summary>
/// Limits the blocks that a backup may claim: a claim costs an attacker nothing, and costs memory
/// here.
/// </summary>
internal static class BlockBudget
{
    /// <summary>
    /// What a file list may declare without volumes to explain it: 1.6 TiB of zeros in blocks of
    /// 100 KiB.
    /// </summary>
    public const long FreeInContents = 16L << 20;

    // For volumes that were cut after their index volumes were made.
    private const long FreeInVolumes = 1 << 17;

    // A block takes more bytes of its volume than this, for its name alone.
    private const int BytesPerBlock = 32;

    public static long OfContents(long volumeBytes, long free = FreeInContents) => free + (volumeBytes / BytesPerBlock);

    public static long OfVolumes(long volumeBytes) => FreeInVolumes + (volumeBytes / BytesPerBlock);

    public static long BytesOf(VolumeSet volumes) => VolumeSet.BytesOf(volumes.Blocks);
}
