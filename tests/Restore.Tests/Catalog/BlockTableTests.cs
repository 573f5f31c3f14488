using System.Security.Cryptography;
using FsCheck;
using FsCheck.Fluent;
using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Format;
using Restore.Volumes;

namespace Restore.Tests.Catalog;

[Collection(nameof(Alone))]
public sealed class BlockTableTests
{
    [Fact]
    public void It_numbers_and_finds_blocks_as_a_dictionary_does() => Check.One(
        Config.QuickThrowOnFailure,
        Prop.ForAll(ArbMap.Default.ArbFor<(byte Seed, byte Size, byte Volume)[]>(), steps =>
        {
            BlockTable table = new(HashKind.Sha256);
            Dictionary<(byte, byte), int> numbers = [];
            Dictionary<int, List<int>> volumes = [];
            foreach ((byte seed, byte size, byte volume) in steps)
            {
                int known = numbers.TryGetValue((seed, size), out int number) ? number : numbers[(seed, size)] = numbers.Count;
                Assert.Equal(known, table.GetOrAdd(HashOf(seed), size));
                table.AddVolume(new BlockId(known), new VolumeId(volume), CopyOrder.Database);
                (volumes.TryGetValue(known, out List<int>? list) ? list : volumes[known] = []).Add(volume);
            }

            Assert.Equal(numbers.Count, table.Count);
            foreach (((byte seed, byte size), int number) in numbers)
            {
                Assert.Equal(number, table.Find(HashOf(seed), size));
                Assert.Equal(HashOf(seed), table.HashOf(new BlockId(number)).ToArray());
                Assert.Equal(size, table.SizeOf(new BlockId(number)));
                Assert.Equal(volumes[number].Min(), table.VolumeOf(new BlockId(number)));
                Assert.Equal(numbers.GetValueOrDefault((seed, (byte)(size + 1)), -1), table.Find(HashOf(seed), (byte)(size + 1)));
            }
        }));

    [Fact]
    public void It_grows_past_many_thousands_of_blocks()
    {
        BlockTable table = new(HashKind.Sha256);
        for (int i = 0; i < 50_000; i++)
        {
            Assert.Equal(i, table.GetOrAdd(SHA256.HashData(BitConverter.GetBytes(i)), i % 7));
        }

        for (int i = 0; i < 50_000; i++)
        {
            Assert.Equal(i, table.Find(SHA256.HashData(BitConverter.GetBytes(i)), i % 7));
        }
    }

    [Fact]
    public void A_look_up_allocates_nothing()
    {
        BlockTable table = new(HashKind.Sha256);
        byte[] hash = HashOf(1);
        table.GetOrAdd(hash, 100);
        table.Find(hash, 100);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 1000; i++)
        {
            table.Find(hash, 100 + (i & 1));
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Volumes_are_given_up_one_after_the_other_and_only_some_copies_are_remembered()
    {
        BlockTable table = new(HashKind.Md5);
        int block = table.GetOrAdd(new byte[16], 5);
        Assert.Equal(VolumeId.None, table.VolumeOf(new BlockId(block)));
        for (int volume = 0; volume < 1000; volume++)
        {
            table.AddVolume(new BlockId(block), new VolumeId(volume), CopyOrder.Database);
            table.AddVolume(new BlockId(block), new VolumeId(volume), CopyOrder.Database);
        }

        Assert.Equal([0, 1, 2, 3, 4, 5, 6, 7, 8], VolumesTried(table, block));
        Assert.Equal(VolumeId.None, table.VolumeOf(new BlockId(block)));
    }

    [Fact]
    public void The_order_in_which_copies_are_tried_is_that_of_who_tells_them_and_not_of_who_is_first() => Check.One(
        Config.QuickThrowOnFailure,
        Prop.ForAll(ArbMap.Default.ArbFor<(byte Volume, byte Order)[]>(), told =>
        {
            int[] expected =
            [
                .. told.GroupBy(copy => copy.Volume).Select(copies => (Order: copies.Min(copy => copy.Order), Volume: (int)copies.Key)).Order()
                    .Select(copy => copy.Volume).Take(9),
            ];
            BlockTable table = new(HashKind.Md5);
            int block = table.GetOrAdd(new byte[16], 5);
            foreach ((byte volume, byte order) in told)
            {
                table.AddVolume(new BlockId(block), new VolumeId(volume), order);
            }

            Assert.Equal(expected, VolumesTried(table, block));
        }));

    [Theory]
    [InlineData(0, 5L)]
    [InlineData(15, 5L)]
    [InlineData(17, 5L)]
    [InlineData(16, 6L)]
    [InlineData(16, -1L)]
    [InlineData(16, long.MaxValue)]
    public void What_cannot_be_in_it_is_not_found(int hashLength, long sizeBytes)
    {
        BlockTable table = new(HashKind.Md5);
        table.GetOrAdd(new byte[16], 5);
        Assert.Equal(-1, table.Find(new byte[hashLength], sizeBytes));
    }

    private static List<int> VolumesTried(BlockTable table, int block)
    {
        List<int> tried = [];
        for (bool isThere = table.VolumeOf(new BlockId(block)) != VolumeId.None; isThere; isThere = table.UseOtherVolume(new BlockId(block)))
        {
            tried.Add(table.VolumeOf(new BlockId(block)));
        }

        return tried;
    }

    private static byte[] HashOf(byte seed) => SHA256.HashData([seed]);
}
