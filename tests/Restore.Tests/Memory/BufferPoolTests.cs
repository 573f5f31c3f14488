using Restore.Memory;

namespace Restore.Tests.Memory;

public sealed class BufferPoolTests
{
    private const int MiB = 1 << 20;

    private readonly BufferPool pool = new();

    [Fact]
    public void A_buffer_of_a_shorter_volume_serves_the_longest_one_too()
    {
        pool.Expect(8 * MiB);
        PooledBuffer shorter = pool.Rent((5 * MiB) + 1);
        byte[] array = shorter.Array;
        Assert.Equal((5 * MiB) + 1, shorter.Length);
        shorter.Dispose();

        using PooledBuffer longest = pool.Rent(8 * MiB);
        Assert.Same(array, longest.Array);
    }

    [Fact]
    public void A_much_shorter_buffer_gets_no_more_room_than_it_needs()
    {
        pool.Expect(64 * MiB);
        using PooledBuffer index = pool.Rent(3 * MiB);
        Assert.Equal(3 * MiB, index.Array.Length);
    }

    [Fact]
    public void A_longer_buffer_than_announced_is_there_all_the_same()
    {
        pool.Expect(4 * MiB);
        pool.Expect(3 * MiB);
        using PooledBuffer longer = pool.Rent(9 * MiB);
        Assert.Equal(9 * MiB, longer.Length);
    }

    [Fact]
    public void All_buffers_are_counted()
    {
        pool.Expect(8 * MiB);
        PooledBuffer[] rented = [pool.Rent(5 * MiB), pool.Rent(100), pool.Rent(8 * MiB)];
        Assert.Equal(3, pool.OutstandingBuffers);
        Array.ForEach(rented, buffer => buffer.Dispose());
        Assert.Equal(0, pool.OutstandingBuffers);
        Assert.Equal(0, pool.OutstandingBytes);
    }
}
