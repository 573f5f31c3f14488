using Restore.Catalog;
using Restore.Volumes;

namespace Restore.Tests.Catalog;

/// <summary>
/// Block 0 is in volumes 4, 5 and 6, block 1 in 7, block 2 nowhere; block 3 is in 8 and 9.
/// </summary>
public sealed class LocationsTests
{
    private readonly Locations locations = new(
        Ids(4, 7, -1, 8),
        [Copy(0, 5), Copy(0, 6), Copy(3, 9)],
        failed: [],
        absent: [new AbsentReplica(new BlockId(2), "gone.dblock.zip")]
    );

    [Fact]
    public void The_copies_of_a_block_come_in_the_order_in_which_they_are_tried()
    {
        Assert.Equal(Ids(4, 5, 6), locations.ReplicasOf(new BlockId(0)));
        Assert.Equal(Ids(7), locations.ReplicasOf(new BlockId(1)));
        Assert.Empty(locations.ReplicasOf(new BlockId(2)));
        Assert.Equal(new VolumeId(8), locations.VolumeOf(new BlockId(3)));
    }

    [Fact]
    public void A_block_that_is_nowhere_names_the_absent_volume_that_it_was_in()
    {
        Assert.Equal("gone.dblock.zip", locations.LostWith(new BlockId(2)));
        Assert.Null(locations.LostWith(new BlockId(1)));
        Assert.Null(locations.LostWith(new BlockId(3)));
    }

    [Fact]
    public void Without_losses_the_next_copy_of_a_block_is_its_first()
    {
        Locations left = locations.Without([Copy(0, 4), Copy(0, 6), Copy(1, 7), Copy(3, 9)]);
        Assert.Equal(Ids(5), left.ReplicasOf(new BlockId(0)));
        Assert.Empty(left.ReplicasOf(new BlockId(1)));
        Assert.Equal(Ids(8), left.ReplicasOf(new BlockId(3)));
        Assert.Equal(Ids(4, 6), left.FailedOf(new BlockId(0)));
        Assert.Equal(Ids(7), left.FailedOf(new BlockId(1)));
        Assert.Equal("gone.dblock.zip", left.LostWith(new BlockId(2)));
    }

    [Fact]
    public void Without_losses_the_locations_before_stay_as_they_are()
    {
        locations.Without([Copy(0, 4), Copy(1, 7)]);
        Assert.Equal(Ids(4, 5, 6), locations.ReplicasOf(new BlockId(0)));
        Assert.Equal(Ids(7), locations.ReplicasOf(new BlockId(1)));
        Assert.Empty(locations.Failed.ToArray());
    }

    [Fact]
    public void Losses_add_up()
    {
        Locations left = locations.Without([Copy(0, 4)]).Without([Copy(0, 5)]).Without([Copy(0, 4)]);
        Assert.Equal(Ids(6), left.ReplicasOf(new BlockId(0)));
        Assert.Equal(Ids(4, 5), left.FailedOf(new BlockId(0)));
    }

    [Fact]
    public void A_lost_copy_that_may_return_has_not_failed()
    {
        Locations left = locations.Without([Copy(0, 4), Copy(1, 7)], mayReturn: true);
        Assert.Equal(Ids(5, 6), left.ReplicasOf(new BlockId(0)));
        Assert.Empty(left.ReplicasOf(new BlockId(1)));
        Assert.Empty(left.Failed.ToArray());
        Assert.Equal(Ids(7), left.With([Copy(1, 7)], []).ReplicasOf(new BlockId(1)));
    }

    [Fact]
    public void Copies_found_later_come_after_those_known_before()
    {
        Locations more = locations
            .Without([Copy(1, 7), Copy(3, 9)])
            .With(
                [Copy(1, 5), Copy(1, 4), Copy(3, 8), Copy(3, 2), Copy(3, 2)],
                [new AbsentReplica(new BlockId(1), "b"), new AbsentReplica(new BlockId(2), "c")]
            );
        Assert.Equal(Ids(5, 4), more.ReplicasOf(new BlockId(1)));
        Assert.Equal(Ids(8, 2), more.ReplicasOf(new BlockId(3)));
        Assert.Equal(Ids(4, 5, 6), more.ReplicasOf(new BlockId(0)));
        Assert.Equal(("b", "c"), (more.LostWith(new BlockId(1)), more.LostWith(new BlockId(2))));
    }

    [Fact]
    public void The_parts_of_locations_make_the_same_locations_again()
    {
        Locations before = locations.Without([Copy(0, 4)]);
        Locations after = new(
            before.First.ToArray(),
            before.Others.ToArray(),
            before.Failed.ToArray(),
            before.Absent.ToArray()
        );
        foreach (BlockId block in BlockId.UpTo(before.Count))
        {
            Assert.Equal(before.ReplicasOf(block), after.ReplicasOf(block));
            Assert.Equal(before.FailedOf(block), after.FailedOf(block));
            Assert.Equal(before.LostWith(block), after.LostWith(block));
        }
    }

    private static Replica Copy(int block, int volume) => new(new BlockId(block), new VolumeId(volume));

    private static VolumeId[] Ids(params int[] volumes) => [.. volumes.Select(volume => new VolumeId(volume))];
}
