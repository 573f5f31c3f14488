using Restore.Catalog;
using Restore.Planning;
using Restore.Tests.Restoring;

namespace Restore.Tests.Planning;

/// <summary>
/// Turning files into blocks and blocks into volumes, compared with the plain way to do it.
/// </summary>
public sealed class PassPlanTests
{
    [Theory]
    [InlineData("aes-100kb", 0)]
    [InlineData("aes-100kb", 2)]
    [InlineData("blocklists-1kb", 0)]
    [InlineData("blocklists-1kb", 1)]
    [InlineData("plain-1mb", 0)]
    [InlineData("hashes", 1)]
    public async Task Every_place_that_needs_a_block_is_there_once_and_volumes_come_in_order_of_first_use(
        string fixture,
        int version
    )
    {
        using NetworkRig rig = new(fixture, version);
        PassPlan plan = (await rig.PlanAsync()).Pass;
        (int Block, Want Want)[] wanted =
        [
            .. from entry in Enumerable.Range(0, plan.Entries.Count)
            from item in ItemsOf(plan, new EntryId(entry))
            where plan.SourceOf(new EntryId(entry), item) == ItemSource.Fetched
            select (plan.BlockOf(new EntryId(entry), item), new Want(new EntryId(entry), item)),
        ];

        foreach (IGrouping<int, Want> places in wanted.GroupBy(place => place.Block, place => place.Want))
        {
            Assert.Equal(places, WantsOf(plan, places.Key));
        }

        Assert.Equal(
            wanted.Length,
            Enumerable.Range(0, plan.Content.Blocks.Count).Sum(block => WantsOf(plan, block).Length)
        );
        BlockId[] inOrder = [.. wanted.Select(place => new BlockId(place.Block)).Distinct()];
        Assert.Equal(
            inOrder.Select(plan.Locations.VolumeOf).Distinct(),
            plan.Fetch.Volumes.Select(volume => volume.Volume.Id)
        );
        foreach (WantedVolume volume in plan.Fetch.Volumes)
        {
            Assert.Equal(
                inOrder.Where(block => plan.Locations.VolumeOf(block) == volume.Volume.Id),
                plan.Fetch.BlocksOf(volume).ToArray()
            );
        }
    }

    private static Want[] WantsOf(PassPlan plan, int block)
    {
        Wants wants = plan.WantsOf(new BlockId(block));
        Want[] listed = new Want[wants.Count];
        for (int i = 0; i < listed.Length; i++)
        {
            listed[i] = wants[i];
        }

        return listed;
    }

    private static List<Item> ItemsOf(PassPlan plan, EntryId entry)
    {
        List<Item> items = [];
        foreach (Item item in plan.ItemsOf(entry))
        {
            items.Add(item);
        }

        return items;
    }
}
