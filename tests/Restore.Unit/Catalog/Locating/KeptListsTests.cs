using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Format;
using Restore.Memory;
using Restore.Volumes;

namespace Restore.Tests.Catalog.Locating;

public sealed class KeptListsTests
{
    private const int RowBytes = 36;

    private readonly BufferPool pool = new();

    [Theory]
    [InlineData(50, 10_000)]
    [InlineData(7_000, 100)]
    [InlineData(30_000, 20)]
    public void Kept_lists_take_the_memory_of_their_blocks(int blocks, int lists)
    {
        using (KeptLists kept = new(long.MaxValue))
        {
            for (int list = 0; list < lists; list++)
            {
                Assert.True(kept.TryKeep([List(list, blocks)]));
            }

            Assert.InRange(
                pool.OutstandingBytes,
                (long)lists * blocks * RowBytes,
                (long)(1.4 * lists * blocks * RowBytes) + (1 << 20)
            );
        }

        Assert.Equal(0, pool.OutstandingBuffers);
    }

    [Fact]
    public void Blocks_that_become_needed_are_found_in_the_lists_that_were_kept()
    {
        using KeptLists kept = new(1000 * RowBytes);
        BlockNeeds needs = new(SmallBackup.Version());
        for (int list = 0; list < 10; list++)
        {
            Assert.True(kept.TryKeep([List(list, 100)]));
        }

        using ListedBlocks tooMuch = List(10, 1);
        Assert.False(kept.TryKeep([tooMuch]));
        BlockId[] needed =
        [
            .. Enumerable
                .Range(0, 1000)
                .Select(number => needs.Content.Blocks.GetOrAdd(HashOf(number / 100, number % 100), number % 100)),
        ];
        needs.Refer(needed[999]);
        kept.OfferTo(needs);
        kept.OfferTo(needs);
        Assert.Equal(
            Enumerable.Range(0, 1000).Select(number => number / 100),
            needed.Select(block => needs.Locations.VolumeOf(block).Value)
        );
    }

    private ListedBlocks List(int volume, int blocks)
    {
        ListedBlocks list = new(HashKind.Sha256, pool) { Volume = new VolumeId(volume) };
        for (int block = 0; block < blocks; block++)
        {
            list.Block(HashOf(volume, block), block);
        }

        return list;
    }

    private static byte[] HashOf(int volume, int block)
    {
        byte[] hash = new byte[32];
        BitConverter.TryWriteBytes(hash, volume);
        BitConverter.TryWriteBytes(hash.AsSpan(4), block);
        return hash;
    }
}
