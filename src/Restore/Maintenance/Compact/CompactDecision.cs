namespace Restore.Maintenance.Compact;

/// <summary>Which block volumes a compact deletes, and which it rewrites.</summary>
internal sealed record CompactDecision(IReadOnlyList<VolumeUse> Dead, IReadOnlyList<VolumeUse> Rewritten)
{
    // Duplicati's limit: a single wasteful volume would only be replaced by another single volume.
    private const int LeastWasteful = 2;

    public static CompactDecision Of(
        IReadOnlyList<VolumeUse> volumes,
        int thresholdPercent,
        long volumeSizeBytes,
        long smallSizeBytes,
        int smallMaxCount
    )
    {
        VolumeUse[] dead = [.. volumes.Where(IsDead)];
        VolumeUse[] wasteful = [.. volumes.Where(IsWasteful)];
        VolumeUse[] small = [.. volumes.Where(IsSmall)];
        bool isNeeded =
            (
                wasteful.Length >= LeastWasteful
                && IsShare(wasteful.Sum(use => use.WastedBytes), volumes.Sum(use => use.DataBytes), thresholdPercent)
            )
            || small.Sum(use => use.Volume.SizeBytes) > volumeSizeBytes
            || small.Length > smallMaxCount;
        return new CompactDecision(dead, isNeeded ? [.. volumes.Where(use => IsWasteful(use) || IsSmall(use))] : []);

        static bool IsDead(VolumeUse use) => use.WastedBytes >= use.DataBytes;
        bool IsWasteful(VolumeUse use) =>
            !IsDead(use)
            && (
                IsShare(use.WastedBytes, use.DataBytes, thresholdPercent)
                || IsShare(use.WastedBytes, volumeSizeBytes, thresholdPercent)
            );
        bool IsSmall(VolumeUse use) => !IsDead(use) && use.Volume.SizeBytes <= smallSizeBytes;
    }

    private static bool IsShare(long part, long whole, int percent) => part * 100.0 >= (double)percent * whole;
}
