namespace Restore.Planning;

internal sealed record FetchCosts(RangePolicy Ranges, bool HasRanges)
{
    public PlannedVolume Estimate(Volume volume, long wantedBytes) =>
        new(volume.FileName, volume.SizeBytes, Ranges.Estimate(volume, wantedBytes, HasRanges))
        {
            Requests = Ranges.EstimateRequests(volume, wantedBytes, HasRanges),
            ArchiveTier = volume.ArchiveTier,
        };

    public long BytesOf(FetchList list) =>
        list.Volumes.Sum(volume => Ranges.Estimate(volume.Volume, list.BytesOf(volume), HasRanges));
}
