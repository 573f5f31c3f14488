using System.Buffers;
using System.Runtime.InteropServices;
using Restore.Memory;
using Restore.Tests.Support.Machine;

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
        nint memory = AddressOf(shorter);
        Assert.Equal((5 * MiB) + 1, shorter.Length);
        shorter.Dispose();

        using PooledBuffer longest = pool.Rent(8 * MiB);
        Assert.Equal(memory, AddressOf(longest));
    }

    [Fact]
    public void A_much_shorter_buffer_gets_no_more_room_than_it_needs()
    {
        pool.Expect(64 * MiB);
        using PooledBuffer index = pool.Rent(3 * MiB);
        Assert.Equal(3 * MiB, index.Room.Length);
    }

    [Fact]
    public void Buffers_of_chunks_of_many_lengths_are_used_again()
    {
        Random random = new(1);
        HashSet<nint> used = [];
        for (int round = 0; round < 500; round++)
        {
            PooledBuffer[] rented =
            [
                .. Enumerable.Range(0, 4).Select(_ => pool.Rent(random.Next(BufferPool.LargeBytes, 4 * MiB))),
            ];
            used.UnionWith(rented.Select(AddressOf));
            Array.ForEach(rented, buffer => buffer.Dispose());
        }

        // Four at once, of twelve lengths.
        Assert.InRange(used.Count, 4, 48);
    }

    [Fact]
    public void A_chunk_leaves_a_longer_buffer_to_the_chunk_that_needs_it()
    {
        PooledBuffer longer = pool.Rent(3 * MiB / 2);
        PooledBuffer shorter = pool.Rent(MiB);
        (nint longerMemory, nint shorterMemory) = (AddressOf(longer), AddressOf(shorter));
        shorter.Dispose();
        longer.Dispose();

        using PooledBuffer first = pool.Rent(MiB - 100);
        using PooledBuffer second = pool.Rent(MiB + 100);
        Assert.Equal((shorterMemory, longerMemory), (AddressOf(first), AddressOf(second)));
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
        Memory<byte> memory = kept.Room;
        kept.Dispose();
        PooledBuffer lost = pool.Rent(length);
        Assert.True(memory.Equals(lost.Room));
        PooledBuffer.OwnerOf(lost.OwnedMemory[10..20])!.Lose();
        lost.Dispose();

        using PooledBuffer next = pool.Rent(length);
        Assert.False(memory.Equals(next.Room));
        Assert.Equal(1, pool.OutstandingBuffers);
        Assert.Null(PooledBuffer.OwnerOf(next.Memory));
        memory.Span[^1] = 1;
    }

    [Fact]
    public void Large_memory_that_is_dropped_is_freed_and_rented_memory_is_not()
    {
        PooledBuffer rented = pool.Rent(5 * MiB);
        PooledBuffer idle = pool.Rent(4 * MiB);
        Memory<byte> memory = idle.Room;
        idle.Dispose();
        memory.Span[0] = 1;
        pool.DropIdle();
        Assert.Throws<ObjectDisposedException>(() => memory.Span[0]);
        Assert.Throws<ObjectDisposedException>(() => idle.Room);
        rented.Span.Fill(7);
        rented.Dispose();
        using PooledBuffer again = pool.Rent(5 * MiB);
        Assert.Equal(7, again.Span[^1]);
    }

    [Fact]
    public void Idle_memory_beyond_the_limit_is_freed()
    {
        PooledBuffer[] rented = [.. Enumerable.Range(0, 5).Select(_ => pool.Rent(100 * MiB))];
        Memory<byte>[] memory = [.. rented.Select(buffer => buffer.Room)];
        Array.ForEach(rented, buffer => buffer.Dispose());
        Assert.Throws<ObjectDisposedException>(() => memory[0].Span[0]);
        Assert.Equal(0, memory[1].Span[0]);
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
        Assert.Equal((1, 999), (segment.Offset, segment.Count));
        Assert.Equal(7, segment[998]);
        using MemoryHandle pinned = memory[10..].Pin();
        buffer.Span[10] = 9;
        unsafe
        {
            Assert.Equal(9, *(byte*)pinned.Pointer);
        }
    }

    [Fact]
    public void Owned_memory_of_a_large_buffer_is_no_array()
    {
        using PooledBuffer buffer = pool.Rent(3 * MiB);
        Memory<byte> memory = buffer.OwnedMemory;
        Assert.False(MemoryMarshal.TryGetArray<byte>(memory, out _));
        Assert.Same(buffer, PooledBuffer.OwnerOf(memory[5..]));
        using MemoryHandle pinned = memory[10..].Pin();
        buffer.Span[10] = 9;
        unsafe
        {
            Assert.Equal(9, *(byte*)pinned.Pointer);
        }
    }

    private static unsafe nint AddressOf(PooledBuffer buffer)
    {
        using MemoryHandle pinned = buffer.Room.Pin();
        return (nint)pinned.Pointer;
    }

    [Fact]
    [NeedsLinux]
    public void A_buffer_that_is_read_once_goes_back_to_the_system_until_it_is_rented_again()
    {
        const int Length = 9 << 20;
        using (PooledBuffer buffer = pool.Rent(Length))
        {
            buffer.Span.Fill(7);
            buffer.ReadOnce();
            Assert.Equal(Enumerable.Repeat((byte)7, Length), ReadAll(buffer));
            Assert.Equal(0, buffer.Span[0]);
            Assert.Equal(7, buffer.Span[^1]);
        }

        using PooledBuffer next = pool.Rent(Length);
        next.Span.Fill(8);
        Assert.Equal(Enumerable.Repeat((byte)8, Length), ReadAll(next));
        Assert.Equal(8, next.Span[0]);

        static byte[] ReadAll(PooledBuffer buffer)
        {
            using MemoryReadStream stream = new(buffer.Memory[1..]);
            using MemoryStream read = new();
            stream.CopyTo(read);
            return [buffer.Span[^1], .. read.ToArray()];
        }
    }
}
