using Restore.Volumes;

namespace Restore.Planning;

/// <summary>What fetching from the backup's store costs, as far as a plan's estimates need it.</summary>
/// <param name="Ranges">When parts of volumes are read.</param>
/// <param name="HasRanges">Whether the store reads ranges.</param>
internal sealed record FetchCosts(RangePolicy Ranges, bool HasRanges)
{
    /// <summary>Estimates what is fetched of a volume.</summary>
    /// <param name="volume">The volume.</param>
    /// <param name="wantedBytes">Length of the wanted blocks, decoded.</param>
    public PlannedVolume Estimate(Volume volume, long wantedBytes) =>
        new(volume.FileName, volume.SizeBytes, Ranges.Estimate(volume, wantedBytes, HasRanges))
        {
            Requests = Ranges.EstimateRequests(volume, wantedBytes, HasRanges),
        };
}
