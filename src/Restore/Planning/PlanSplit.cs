using Restore.Catalog;
using Restore.Format;

namespace Restore.Planning;

/// <summary>Splits a plan by volumes: contiguous parts in order of first use, balanced by bytes; a file goes to the part with most of its bytes.</summary>
internal static class PlanSplit
{
    public static IEnumerable<PassPlan> Split(PassPlan plan, int count)
    {
        int[] partOfVolume = AssignVolumes(plan.Fetch, plan.Volumes.Count, count);
        EntryParts[][] parts = [.. Enumerable.Range(0, count).Select(_ => new EntryParts[plan.Parts.Length])];
        long[] bytes = new long[count];
        int last = 0;
        foreach (EntryId entry in plan.Included())
        {
            // Folders and links are finished after all files. Entries that fetch nothing follow their neighbors.
            bool isFile = plan.Content.IsFile(entry);
            last = isFile ? PartOf(plan, entry, partOfVolume, bytes) ?? last : last;
            parts[isFile ? last : count - 1][entry] = plan.Parts[entry];
        }

        return parts.Select(part => new PassPlan(plan.Entries, part, plan.Locations, plan.Volumes, plan.LeavesBlocksToFiles));
    }

    /// <summary>Cuts the volumes into parts with about the same number of needed bytes.</summary>
    private static int[] AssignVolumes(FetchList fetch, int volumes, int count)
    {
        int[] partOfVolume = new int[volumes];
        long total = fetch.Volumes.Sum(fetch.BytesOf);
        long before = 0;
        foreach (WantedVolume volume in fetch.Volumes)
        {
            // The middle of the volume decides, so that a part gets at most half a volume more or less than its share.
            long size = fetch.BytesOf(volume);
            partOfVolume[volume.Volume.Id] = Math.Min(count - 1, (int)((Int128)(before + (size / 2)) * count / Math.Max(1, total)));
            before += size;
        }

        return partOfVolume;
    }

    /// <summary>The part with most of the bytes that an entry fetches; null if the entry fetches nothing.</summary>
    private static int? PartOf(PassPlan plan, EntryId entry, int[] partOfVolume, long[] bytes)
    {
        Array.Clear(bytes);
        foreach (Item item in plan.ItemsOf(entry))
        {
            if (plan.SourceOf(entry, item) == ItemSource.Fetched)
            {
                BlockId block = plan.BlockOf(entry, item);
                bytes[partOfVolume[plan.Locations.VolumeOf(block)]] += plan.Content.Blocks.SizeOf(block) + 1L;
            }
        }

        long most = bytes.Max();
        return most == 0 ? null : Array.IndexOf(bytes, most);
    }
}
