using Restore.Catalog;
using Restore.Format;
using Restore.Memory;
using Restore.Volumes;

namespace Restore.Tests.Catalog;

/// <summary>
/// Blocks 0 to 5, of 100 to 105 bytes; blocks 1 and 4 are in volume 0, block 5 nowhere, the others
/// in volume 1.
/// </summary>
public sealed class FetchListTests
{
    private readonly BlockTable table = new(HashKind.Md5);
    private readonly Locations locations = new(
        [.. new[] { 1, 0, 1, 1, 0, -1 }.Select(volume => new VolumeId(volume))],
        [],
        [],
        []
    );
    private readonly Volume[] volumes = [new(new VolumeId(0), default, 10), new(new VolumeId(1), default, 20)];

    public FetchListTests()
    {
        for (byte block = 0; block < 6; block++)
        {
            table.GetOrAdd(HashOf(block), 100 + block);
        }
    }

    [Fact]
    public void Volumes_and_the_blocks_of_each_come_in_order_of_first_use()
    {
        FetchList list = ListOf(3, 4, 3, 5, 0, 1, 4);
        Assert.Equal([3, 0, 4, 1], list.Blocks.Select(block => block.Value));
        Assert.Equal(
            [(1, 0, 2), (0, 2, 2)],
            list.Volumes.Select(wanted => (wanted.Volume.Id.Value, wanted.First, wanted.Count))
        );
        Assert.Equal([203L, 205L], list.Volumes.Select(list.BytesOf));
        Assert.Equal([4, 1], list.BlocksOf(list.Volumes[1]).ToArray().Select(block => block.Value));
    }

    [Fact]
    public void A_block_is_found_only_in_the_volume_that_it_is_needed_from()
    {
        FetchList list = ListOf(0, 1);
        using WantedBlocks first = new(list, list.Volumes[0]),
            second = new(list, list.Volumes[1]);
        Assert.Equal(0, first.Find(HashOf(0), 100));
        Assert.Equal(-1, second.Find(HashOf(0), 100));
        Assert.Equal(1, second.Find(HashOf(1), 101));
        Assert.Equal(-1, second.Find(HashOf(1), 100));
        Assert.Equal(-1, first.Find(HashOf(2), 102));
        Assert.Equal(-1, first.Find(HashOf(9), 109));
        Assert.Equal(-1, first.Find(HashOf(0).AsSpan(1), 100));
        Assert.Equal(-1, first.Find(HashOf(0), 100 - (1L << 32)));
    }

    [Fact]
    public void A_small_fetch_from_a_large_version_finds_its_blocks_and_no_others()
    {
        BlockTable large = new(HashKind.Md5);
        for (byte block = 0; block < 200; block++)
        {
            large.GetOrAdd(HashOf(block), 100 + block);
        }

        large.Freeze();
        Locations all = new([.. Enumerable.Range(0, 200).Select(block => new VolumeId(block % 2))], [], [], []);
        FetchList list = FetchList.Create(large, all, volumes, new BlockId[] { new(7), new(40), new(7), new(9) });
        Assert.Equal([7, 9, 40], list.Blocks.Select(block => block.Value));
        using WantedBlocks odd = new(list, list.Volumes[0]),
            even = new(list, list.Volumes[1]);
        Assert.Equal(0, odd.Find(HashOf(7), 107));
        Assert.Equal(1, odd.Find(HashOf(9), 109));
        Assert.Equal(-1, even.Find(HashOf(9), 109));
        Assert.Equal(-1, odd.Find(HashOf(9), 110));
        Assert.Equal(-1, odd.Find(HashOf(11), 111));
        Assert.Equal(2, even.Find(HashOf(40), 140));
    }

    [Fact]
    public void The_parts_of_a_list_make_the_same_list_again()
    {
        FetchList before = ListOf(3, 4, 0);
        FetchList after = new(before.Table, before.Blocks, before.Volumes, ownHash: null);
        using WantedBlocks second = new(after, after.Volumes[1]);
        Assert.Equal(2, second.Find(HashOf(4), 104));
    }

    [Fact]
    public void All_blocks_are_verified_by_their_own_hash_unless_a_set_says_which()
    {
        Assert.True(ListOf(0).NeedsOwnHash(new BlockId(0)));
        BitSet ownHash = new(6) { [0] = true };
        FetchList list = FetchList.Create(table, locations, volumes, [new BlockId(0), new BlockId(1)], ownHash);
        Assert.Equal((true, false), (list.NeedsOwnHash(new BlockId(0)), list.NeedsOwnHash(new BlockId(1))));
    }

    [Fact]
    public void A_list_over_a_table_that_still_grows_is_refused() =>
        Assert.Throws<InvalidOperationException>(() => FetchList.Create(table, locations, volumes, [new BlockId(0)]));

    private FetchList ListOf(params int[] blocks)
    {
        table.Freeze();
        return FetchList.Create(table, locations, volumes, [.. blocks.Select(block => new BlockId(block))]);
    }

    private static byte[] HashOf(byte block) => [.. Enumerable.Repeat(block, 16)];
}
