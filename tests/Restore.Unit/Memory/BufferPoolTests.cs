using System.Buffers;
using System.Runtime.InteropServices;
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

    [Theory]
    [InlineData(100 << 10)]
    [InlineData(5 * MiB)]
    public void Memory_that_is_lost_is_not_used_again(int length)
    {
        PooledBuffer kept = pool.Rent(length);
        byte[] array = kept.Array;
        kept.Dispose();
        PooledBuffer lost = pool.Rent(length);
        Assert.Same(array, lost.Array);
        PooledBuffer.OwnerOf(lost.OwnedMemory[10..20])!.Lose();
        lost.Dispose();

        using PooledBuffer next = pool.Rent(length);
        Assert.NotSame(array, next.Array);
        Assert.Equal(1, pool.OutstandingBuffers);
        Assert.Null(PooledBuffer.OwnerOf(next.Memory));
    }

    [Fact]
    public void Owned_memory_is_the_usable_part_of_its_buffer()
    {
        using PooledBuffer buffer = pool.Rent(1000);
        Memory<byte> memory = buffer.OwnedMemory;
        Assert.Equal(1000, memory.Length);
        memory.Span[999] = 7;
        Assert.Equal(7, buffer.Span[999]);
        Assert.True(MemoryMarshal.TryGetArray<byte>(memory[1..], out ArraySegment<byte> segment));
        Assert.Equal((buffer.Array, 1, 999), (segment.Array, segment.Offset, segment.Count));
        using MemoryHandle pinned = memory[10..].Pin();
        buffer.Span[10] = 9;
        unsafe
        {
            Assert.Equal(9, *(byte*)pinned.Pointer);
        }
    }
}
