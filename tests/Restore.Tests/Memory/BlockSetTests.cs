using System.Buffers.Binary;
using FsCheck;
using FsCheck.Fluent;
using Restore.Memory;

namespace Restore.Tests.Memory;

public sealed class BlockSetTests
{
    [Fact]
    public void A_block_is_new_once_for_each_hash_and_size() =>
        FsCheck.Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll<(int Hash, byte Size)[]>(blocks =>
            {
                BlockSet known = new(hashLength: 20);
                HashSet<(int, byte)> model = [];
                foreach ((int hash, byte size) in blocks)
                {
                    Assert.Equal(model.Add((hash & 7, size)), known.TryAdd(Hash(hash & 7), size, out _));
                }

                Assert.Equal(model.Count, known.Count);
            })
        );

    [Theory]
    [InlineData(16)]
    [InlineData(20)]
    [InlineData(32)]
    [InlineData(48)]
    [InlineData(64)]
    public Task Hashes_that_end_differently_only_are_as_quick_to_find_as_others(int hashLength) =>
        Task.Run(() =>
            {
                // With places by the first 16 bytes alone, the additions would take half of the
                // square of that many steps.
                const int Blocks = 300_000;
                BlockSet known = new(hashLength);
                byte[] hash = new byte[hashLength];
                for (int round = 0; round < 2; round++)
                {
                    for (int i = 0; i < Blocks; i++)
                    {
                        BinaryPrimitives.WriteInt32LittleEndian(hash.AsSpan(hashLength - 4), i);
                        Assert.Equal(round == 0, known.TryAdd(hash, 5, out int block));
                        Assert.Equal(i, block);
                    }
                }

                Assert.Equal(Blocks, known.Count);
            })
            .WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);

    private static byte[] Hash(int number)
    {
        byte[] hash = new byte[20];
        BinaryPrimitives.WriteInt32LittleEndian(hash, number);
        return hash;
    }
}
