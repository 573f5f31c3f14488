using System.Buffers.Binary;
using FsCheck;
using FsCheck.Fluent;
using Restore.Memory;

namespace Restore.Tests.Memory;

public sealed class BlockSetTests
{
    [Fact]
    public void A_block_is_new_once_for_each_hash_and_size() => FsCheck.Check.One(
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
        }));

    [Fact]
    public void Hashes_that_begin_alike_are_told_apart_however_many_there_are()
    {
        BlockSet known = new(hashLength: 32);
        for (int round = 0; round < 2; round++)
        {
            for (int i = 0; i < 5000; i++)
            {
                byte[] hash = new byte[32];
                BinaryPrimitives.WriteInt32LittleEndian(hash, i % 100);
                BinaryPrimitives.WriteInt32LittleEndian(hash.AsSpan(28), i);
                Assert.Equal(round == 0, known.TryAdd(hash, 5, out _));
            }
        }

        Assert.Equal(5000, known.Count);
    }

    private static byte[] Hash(int number)
    {
        byte[] hash = new byte[20];
        BinaryPrimitives.WriteInt32LittleEndian(hash, number);
        return hash;
    }
}
