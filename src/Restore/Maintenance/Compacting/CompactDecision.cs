namespace Restore.Maintenance.Compacting;

/// <summary>Which block volumes a compact deletes, and which it rewrites.</summary>
/// <param name="Dead">Volumes without a needed block.</param>
/// <param name="Rewritten">Volumes whose needed blocks go to new volumes, in the given order.</param>
internal sealed record CompactDecision(IReadOnlyList<VolumeUse> Dead, IReadOnlyList<VolumeUse> Rewritten)
{
    // Duplicati's: one wasteful volume would be replaced by one volume.
    private const int LeastWasteful = 2;

    /// <summary>Decides by Duplicati's rules.</summary>
    /// <param name="volumes">The volumes.</param>
    /// <param name="thresholdPercent">The share of waste from which on a volume is wasteful, and a backup too.</param>
    /// <param name="volumeSizeBytes">The size of volumes.</param>
    /// <param name="smallSizeBytes">The largest size of a small volume.</param>
    /// <param name="smallMaxCount">How many small volumes there may be.</param>
    public static CompactDecision Of(
        IReadOnlyList<VolumeUse> volumes, int thresholdPercent, long volumeSizeBytes, long smallSizeBytes, int smallMaxCount)
    {
        VolumeUse[] dead = [.. volumes.Where(IsDead)];
        VolumeUse[] wasteful = [.. volumes.Where(IsWasteful)];
        VolumeUse[] small = [.. volumes.Where(IsSmall)];
        bool isNeeded = (wasteful.Length >= LeastWasteful
                && IsShare(wasteful.Sum(use => use.WastedBytes), volumes.Sum(use => use.DataBytes), thresholdPercent))
            || small.Sum(use => use.Volume.SizeBytes) > volumeSizeBytes
            || small.Length > smallMaxCount;
        return new CompactDecision(dead, isNeeded ? [.. volumes.Where(use => IsWasteful(use) || IsSmall(use))] : []);

        static bool IsDead(VolumeUse use) => use.WastedBytes >= use.DataBytes;
        bool IsWasteful(VolumeUse use) => !IsDead(use)
            && (IsShare(use.WastedBytes, use.DataBytes, thresholdPercent) || IsShare(use.WastedBytes, volumeSizeBytes, thresholdPercent));
        bool IsSmall(VolumeUse use) => !IsDead(use) && use.Volume.SizeBytes <= smallSizeBytes;
    }

    private static bool IsShare(long part, long whole, int percent) => part * 100.0 >= (double)percent * whole;
}
