using Restore.Volumes;

namespace Restore.Planning;

/// <summary>The costs of fetching from the store, for a plan's estimates.</summary>
/// <param name="Ranges">When parts of volumes are read.</param>
/// <param name="HasRanges">Whether the store reads ranges.</param>
internal sealed record FetchCosts(RangePolicy Ranges, bool HasRanges)
{
    /// <summary>Estimates what is fetched from a volume.</summary>
    /// <param name="volume">The volume.</param>
    /// <param name="wantedBytes">Decoded length of the needed blocks.</param>
    public PlannedVolume Estimate(Volume volume, long wantedBytes) =>
        new(volume.FileName, volume.SizeBytes, Ranges.Estimate(volume, wantedBytes, HasRanges))
        {
            Requests = Ranges.EstimateRequests(volume, wantedBytes, HasRanges),
        };
}
