using System.Security.Cryptography;
using FsCheck;
using FsCheck.Fluent;
using Restore.Catalog;
using Restore.Format;

namespace Restore.Tests.Catalog;

[Collection(nameof(Alone))]
public sealed class BlockTableTests
{
    [Fact]
    public void It_numbers_and_finds_blocks_as_a_dictionary_does() =>
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(
                ArbMap.Default.ArbFor<(byte Seed, byte Size)[]>(),
                steps =>
                {
                    BlockTable table = new(HashKind.Sha256);
                    Dictionary<(byte, byte), int> numbers = [];
                    foreach ((byte seed, byte size) in steps)
                    {
                        int known = numbers.TryGetValue((seed, size), out int number)
                            ? number
                            : numbers[(seed, size)] = numbers.Count;
                        Assert.Equal(known, table.GetOrAdd(HashOf(seed), size));
                    }

                    Assert.Equal(numbers.Count, table.Count);
                    foreach (((byte seed, byte size), int number) in numbers)
                    {
                        Assert.Equal(number, table.Find(HashOf(seed), size));
                        Assert.Equal(HashOf(seed), table.HashOf(new BlockId(number)).ToArray());
                        Assert.Equal(size, table.SizeOf(new BlockId(number)));
                        Assert.Equal(
                            numbers.GetValueOrDefault((seed, (byte)(size + 1)), -1),
                            table.Find(HashOf(seed), (byte)(size + 1))
                        );
                    }
                }
            )
        );

    [Fact]
    public void It_grows_past_many_thousands_of_blocks()
    {
        BlockTable table = new(HashKind.Sha256);
        for (int i = 0; i < 50_000; i++)
        {
            Assert.Equal(i, table.GetOrAdd(SHA256.HashData(BitConverter.GetBytes(i)), i % 7));
        }

        AssertAllFound();
        table.DropIndex();
        AssertAllFound();
        Assert.Equal(50_000, table.GetOrAdd(HashOf(1), 100));

        void AssertAllFound()
        {
            for (int i = 0; i < 50_000; i++)
            {
                Assert.Equal(i, table.Find(SHA256.HashData(BitConverter.GetBytes(i)), i % 7));
            }
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
    public void A_frozen_table_takes_no_more_blocks()
    {
        BlockTable table = new(HashKind.Md5);
        table.GetOrAdd(new byte[16], 5);
        table.Freeze();
        Assert.Throws<InvalidOperationException>(() => table.GetOrAdd(new byte[16], 6));
        Assert.Equal((1, 0), (table.Count, table.Find(new byte[16], 5).Value));
    }

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

    private static byte[] HashOf(byte seed) => SHA256.HashData([seed]);
}
