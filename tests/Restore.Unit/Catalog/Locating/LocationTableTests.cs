using FsCheck;
using FsCheck.Fluent;
using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Volumes;

namespace Restore.Tests.Catalog.Locating;

public sealed class LocationTableTests
{
    private static readonly BlockId Block = new(0);

    [Fact]
    public void Volumes_fail_one_after_the_other_and_only_some_copies_are_remembered()
    {
        LocationTable table = new();
        Assert.Equal(VolumeId.None, table.VolumeOf(Block));
        for (int volume = 0; volume < 1000; volume++)
        {
            table.Add(Block, new VolumeId(volume), CopyOrder.Database);
            table.Add(Block, new VolumeId(volume), CopyOrder.Database);
        }

        Assert.Equal([0, 1, 2, 3, 4, 5, 6, 7, 8], VolumesTried(table));
        Assert.Equal(VolumeId.None, table.VolumeOf(Block));
    }

    [Fact]
    public void Copies_are_tried_in_the_order_of_their_sources_and_not_of_their_arrival() =>
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(
                ArbMap.Default.ArbFor<(byte Volume, byte Order)[]>(),
                reported =>
                {
                    int[] expected =
                    [
                        .. reported
                            .GroupBy(copy => copy.Volume)
                            .Select(copies => (Order: copies.Min(copy => copy.Order), Volume: (int)copies.Key))
                            .Order()
                            .Select(copy => copy.Volume)
                            .Take(9),
                    ];
                    LocationTable table = new();
                    foreach ((byte volume, byte order) in reported)
                    {
                        table.Add(Block, new VolumeId(volume), order);
                    }

                    Assert.Equal(expected, table.Freeze(1).ReplicasOf(Block).Select(volume => volume.Value));
                    Assert.Equal(expected, VolumesTried(table));
                }
            )
        );

    [Fact]
    public void A_copy_that_failed_is_not_added_again()
    {
        LocationTable table = new();
        table.Add(Block, new VolumeId(3), CopyOrder.Database);
        table.Fail(new Replica(Block, new VolumeId(3)));
        table.Fail(new Replica(Block, new VolumeId(5)));
        table.Add(Block, new VolumeId(3), CopyOrder.Database);
        table.Add(Block, new VolumeId(5), CopyOrder.Database);
        table.Add(Block, new VolumeId(7), CopyOrder.DatabaseDuplicate);
        Assert.Equal([new VolumeId(7)], table.Freeze(1).ReplicasOf(Block));
    }

    [Fact]
    public void A_further_copy_that_failed_is_removed_and_the_first_one_stays()
    {
        LocationTable table = new();
        table.Add(Block, new VolumeId(1), CopyOrder.Database);
        table.Add(Block, new VolumeId(2), CopyOrder.Database);
        table.Fail(new Replica(Block, new VolumeId(2)));
        Assert.Equal([new VolumeId(1)], table.Freeze(1).ReplicasOf(Block));
    }

    [Fact]
    public void Frozen_locations_do_not_change_with_the_table()
    {
        LocationTable table = new();
        table.Add(Block, new VolumeId(1), CopyOrder.Database);
        Locations frozen = table.Freeze(2);
        table.Add(new BlockId(1), new VolumeId(2), CopyOrder.Database);
        table.Fail(new Replica(Block, new VolumeId(1)));
        table.NoteAbsent(Block, "gone");
        Assert.Equal([new VolumeId(1), VolumeId.None], frozen.First.ToArray());
        Assert.Equal((0, null), (frozen.FailedOf(Block).Length, frozen.LostWith(Block)));
        Assert.Equal((1, "gone"), (table.Freeze(2).FailedOf(Block).Length, table.Freeze(2).LostWith(Block)));
    }

    private static List<int> VolumesTried(LocationTable table)
    {
        List<int> tried = [];
        for (VolumeId volume = table.VolumeOf(Block); !volume.IsNone; volume = table.VolumeOf(Block))
        {
            tried.Add(volume);
            table.Fail(new Replica(Block, volume));
        }

        return tried;
    }
}
