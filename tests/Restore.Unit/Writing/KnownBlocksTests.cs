using System.Security.Cryptography;
using Restore.Memory;
using Restore.Writing;

namespace Restore.Tests.Writing;

public class KnownBlocksTests
{
    private static readonly byte[] First = SHA256.HashData([1]);
    private static readonly byte[] Second = SHA256.HashData([2]);

    [Fact]
    public void A_block_that_an_entry_named_is_stored_once()
    {
        BlockSet there = new(First.Length);
        there.TryAdd(First, 1, out _);
        KnownBlocks known = new(there);

        int number = known.NumberOf(Second, 1);
        Assert.False(known.TryStore(First, 1));
        Assert.True(known.TryStore(Second, 1));
        Assert.False(known.TryStore(Second, 1));
        Assert.True(known.TryStore(Second, 2));

        Assert.Equal(number, known.NumberOf(Second, 1));
        Assert.Equal(0, known.NumberOf(First, 1));
        known.Complete();
        Assert.Equal(Second, known.HashOf(number));
    }
}
