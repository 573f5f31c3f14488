using System.Numerics;

namespace Restore.Memory;

/// <summary>
/// The source of every buffer of the flow: the shared <see cref="ArrayPool{T}"/>, and native memory
/// of its own for buffers of blocks and volumes. All buffers are counted: after a restore no buffer
/// may be rented.
/// </summary>
internal sealed class BufferPool
{
    // Fresh memory costs a page fault for each 4 KiB, so this pool reuses the last returned large
    // buffer first. The shared pool would keep an array for each thread and round up to a power of
    // two: 2 MiB for a block of 1 MiB with its header. Native memory returns to the system when it
    // is dropped; an array of this size would stay until the next full collection.
    public const int LargeBytes = 512 << 10;
    private const int LargeRoundingBytes = 64 << 10;

    // Up to here, buffers have one of few lengths, five to eight eighths of a power of two, so that
    // they fit again; and buffers of another length stay in the pool.
    private const int LongestChunkBytes = 4 << 20;

    // What is kept for reuse: as much as the largest volumes that come whole may take. A small
    // buffer does not take the memory of a very large one.
    private const long MaxIdleBytes = 400 << 20;
    private const int MostUnused = 4;

    private readonly Lock gate = new();
    private readonly List<NativeBlock> idle = [];
    private long idleBytes;
    private long outstandingBuffers;
    private long outstandingBytes;
    private int expectedBytes;

    /// <summary>
    /// Frees what the pool kept for reuse. A rented buffer refers to its pool, so none is left.
    /// </summary>
    ~BufferPool() => idle.ForEach(block => block.Free());

    /// <summary>Buffers rented and not yet returned.</summary>
    public long OutstandingBuffers => Interlocked.Read(ref outstandingBuffers);

    /// <summary>Bytes rented and not yet returned.</summary>
    public long OutstandingBytes => Interlocked.Read(ref outstandingBytes);

    /// <summary>
    /// Rents a buffer of exactly <paramref name="lengthBytes"/> usable bytes with one user; the
    /// content is not cleared.
    /// </summary>
    public PooledBuffer Rent(int lengthBytes)
    {
        Memory<byte> room =
            lengthBytes < LargeBytes
                ? ArrayPool<byte>.Shared.Rent(Math.Max(1, lengthBytes))
                : RentLarge(lengthBytes).Memory;
        Interlocked.Increment(ref outstandingBuffers);
        Interlocked.Add(ref outstandingBytes, room.Length);
        return new PooledBuffer(this, room, lengthBytes);
    }

    /// <summary>
    /// Announces the longest buffers to come. Others of at least half of that length get as much
    /// room, so that one buffer serves volumes of different lengths. Room that is not used takes no
    /// memory.
    /// </summary>
    public void Expect(int lengthBytes)
    {
        lock (gate)
        {
            expectedBytes = Math.Max(expectedBytes, lengthBytes);
        }
    }

    /// <summary>Frees the large buffers that are not rented.</summary>
    public void DropIdle()
    {
        lock (gate)
        {
            Drop(_ => true);
        }
    }

    internal Memory<byte> Trim(Memory<byte> room, int lengthBytes)
    {
        if (!MemoryMarshal.TryGetMemoryManager<byte, NativeBlock>(room, out NativeBlock? block))
        {
            return room;
        }

        block.Trim(lengthBytes);
        Interlocked.Add(ref outstandingBytes, block.LengthBytes - room.Length);
        return room[..block.LengthBytes];
    }

    internal void GiveBack(Memory<byte> room, bool isLost)
    {
        Interlocked.Decrement(ref outstandingBuffers);
        Interlocked.Add(ref outstandingBytes, -room.Length);
        if (isLost)
        {
            // A call that hangs may still write there, however late it returns: native memory of
            // this size is never freed, an array by the collector.
            return;
        }

        if (!MemoryMarshal.TryGetMemoryManager<byte, NativeBlock>(room, out NativeBlock? block))
        {
            _ = MemoryMarshal.TryGetArray<byte>(room, out ArraySegment<byte> segment);
            ArrayPool<byte>.Shared.Return(segment.Array!);
            return;
        }

        block.IsReadOnce = false;
        lock (gate)
        {
            idle.Add(block);
            idleBytes += block.LengthBytes;
            while (idleBytes > MaxIdleBytes)
            {
                // Buffers come back at the end of the list and leave from anywhere, so the first
                // one is the least recently used.
                NativeBlock oldest = idle[0];
                Drop(block => block == oldest);
            }
        }
    }

    private NativeBlock RentLarge(int lengthBytes)
    {
        int room;
        lock (gate)
        {
            room = lengthBytes >= expectedBytes / 2 ? Math.Max(lengthBytes, expectedBytes) : lengthBytes;
            int fitting = FindFitting(lengthBytes);
            if (fitting >= 0)
            {
                NativeBlock block = idle[fitting];
                idle.RemoveAt(fitting);
                idleBytes -= block.LengthBytes;
                return block;
            }

            // A buffer that is too small now will be too small again: the volumes of a backup have
            // about the same size. Chunks and blocks have all lengths.
            bool isTooMuch = OutstandingBytes + idleBytes + room > MaxIdleBytes;
            bool isVolume = room > LongestChunkBytes;
            Drop(block =>
                isTooMuch || (isVolume && block.LengthBytes < lengthBytes && block.LengthBytes > LongestChunkBytes)
            );
        }

        long step =
            room > LongestChunkBytes ? LargeRoundingBytes : (int)BitOperations.RoundUpToPowerOf2((uint)room) / 8;
        long rounded = (room + step - 1) / step * step;
        return new NativeBlock((int)Math.Min(rounded, Array.MaxLength));
    }

    /// <summary>
    /// The shortest idle buffer with enough room and not far too much, the last returned one of
    /// several; below zero if no buffer fits.
    /// </summary>
    private int FindFitting(int lengthBytes)
    {
        int best = -1;
        for (int i = idle.Count - 1; i >= 0; i--)
        {
            int room = idle[i].LengthBytes;
            if (room >= lengthBytes && room / MostUnused <= lengthBytes && (best < 0 || room < idle[best].LengthBytes))
            {
                best = i;
            }
        }

        return best;
    }

    private void Drop(Func<NativeBlock, bool> isDropped)
    {
        foreach (NativeBlock block in idle.Where(isDropped).ToList())
        {
            idle.Remove(block);
            idleBytes -= block.LengthBytes;
            block.Free();
        }
    }
}
