namespace Restore.Planning;

internal static class VolumeEntries
{
    /// <summary>
    /// The entries with blocks that are first looked for in a volume, or that were in it when it
    /// was lost.
    /// </summary>
    public static IEnumerable<EntryOnVolume> Find(PassPlan plan, string volumeName)
    {
        VolumeId volume = plan.Volumes.FirstOrDefault(volume => volume.FileName == volumeName)?.Id ?? VolumeId.None;
        foreach (EntryId entry in plan.Included())
        {
            (long bytes, bool isElsewhere) = (0, true);
            foreach (Item item in plan.ItemsOf(entry))
            {
                // Zeros need no volume.
                BlockId block = plan.SourceOf(entry, item) is ItemSource.Fetched or ItemSource.Nowhere
                    ? plan.BlockOf(entry, item)
                    : BlockId.None;
                if (!block.IsNone && IsThere(plan.Locations, block, volume, volumeName))
                {
                    bytes += plan.Content.Blocks.SizeOf(block);
                    isElsewhere = isElsewhere && plan.Locations.ReplicasOf(block).Length > 1;
                }
            }

            if (bytes > 0)
            {
                VersionRange versions = plan.Content.VersionsOf(entry) ?? VersionRange.Of(plan.Content.Version);
                yield return new EntryOnVolume(
                    plan.Content.PathText(entry),
                    versions,
                    plan.Content.SizeOf(entry),
                    bytes,
                    isElsewhere
                );
            }
        }
    }

    private static bool IsThere(Locations locations, BlockId block, VolumeId volume, string name) =>
        locations.VolumeOf(block) is { IsNone: false } first ? first == volume : locations.LostWith(block) == name;
}
