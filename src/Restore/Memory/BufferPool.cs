using System.Numerics;

namespace Restore.Memory;

/// <summary>The source of every buffer of the flow: the shared <see cref="ArrayPool{T}"/>, and native memory of its own for buffers of blocks and volumes. All
/// buffers are counted: after a restore no buffer may be rented.</summary>
internal sealed class BufferPool
{
    // Fresh memory costs a page fault for each 4 KiB, so this pool reuses the last returned large buffer first. The shared pool would keep an array for each
    // thread and round up to a power of two: 2 MiB for a block of 1 MiB with its header. Native memory returns to the system when it is dropped; an array of
    // this size would stay until the next full collection.
    public const int LargeBytes = 512 << 10;
    private const int LargeRoundingBytes = 64 << 10;

    // Up to here buffers have one of few lengths, five to eight eighths of a power of two, so that they fit again, and those of another length are kept.
    private const int LongestChunkBytes = 4 << 20;

    // What is kept for reuse: as much as the largest volumes that come whole may take. A small buffer does not take the memory of a very large one.
    private const long MaxIdleBytes = 400 << 20;
    private const int MostUnused = 4;

    private readonly Lock gate = new();
    private readonly List<NativeBlock> idle = [];
    private long idleBytes;
    private long outstandingBuffers;
    private long outstandingBytes;
    private int expectedBytes;

    /// <summary>Frees what the pool kept for reuse. A rented buffer refers to its pool, so none is left.</summary>
    ~BufferPool() => idle.ForEach(block => block.Free());

    /// <summary>Buffers rented and not yet returned.</summary>
    public long OutstandingBuffers => Interlocked.Read(ref outstandingBuffers);

    /// <summary>Bytes rented and not yet returned.</summary>
    public long OutstandingBytes => Interlocked.Read(ref outstandingBytes);

    /// <summary>Rents a buffer of exactly <paramref name="lengthBytes"/> usable bytes with one user; the content is not cleared.</summary>
    public PooledBuffer Rent(int lengthBytes)
    {
        Memory<byte> room = lengthBytes < LargeBytes ? ArrayPool<byte>.Shared.Rent(Math.Max(1, lengthBytes)) : RentLarge(lengthBytes).Memory;
        Interlocked.Increment(ref outstandingBuffers);
        Interlocked.Add(ref outstandingBytes, room.Length);
        return new PooledBuffer(this, room, lengthBytes);
    }

    /// <summary>Announces the longest buffers to come. Others of at least half of that length get as much room, so that one buffer serves volumes of different
    /// lengths. Room that is not used takes no memory.</summary>
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
            // A call that hangs may still write there, however late it returns: native memory of this size is never freed, an array by the collector.
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

            // A buffer that is too small now will be too small again: the volumes of a backup have about the same size. Chunks and blocks have all lengths.
            bool isTooMuch = OutstandingBytes + idleBytes + room > MaxIdleBytes;
            bool isVolume = room > LongestChunkBytes;
            Drop(block => isTooMuch || (isVolume && block.LengthBytes < lengthBytes && block.LengthBytes > LongestChunkBytes));
        }

        long step = room > LongestChunkBytes ? LargeRoundingBytes : (int)BitOperations.RoundUpToPowerOf2((uint)room) / 8;
        long rounded = (room + step - 1) / step * step;
        return new NativeBlock((int)Math.Min(rounded, Array.MaxLength));
    }

    /// <summary>The shortest idle buffer with enough room and not far too much, the last returned of several; below zero if there is none.</summary>
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

/// <summary>A rented buffer with a count of users; the last user that disposes the buffer returns it to the pool.</summary>
internal sealed class PooledBuffer : IDisposable
{
    private readonly BufferPool pool;
    private Memory<byte> room;
    private int users = 1;
    private volatile bool isLost;
    private List<IDisposable>? attached;

    internal PooledBuffer(BufferPool pool, Memory<byte> room, int length)
    {
        this.pool = pool;
        this.room = room;
        Length = length;
    }

    /// <summary>Usable bytes.</summary>
    public int Length { get; private set; }

    /// <summary>The memory behind the buffer, at least <see cref="Length"/> long; the data starts at 0.</summary>
    public Memory<byte> Room => Volatile.Read(ref users) > 0 ? room : throw new ObjectDisposedException(nameof(PooledBuffer));

    public Span<byte> Span => Room.Span[..Length];

    public Memory<byte> Memory => Room[..Length];

    /// <summary>The usable part, as memory that leads back to its buffer (<see cref="OwnerOf"/>): a store may lose the buffer to a call that hangs.</summary>
    public Memory<byte> OwnedMemory => new Owned(this).Memory;

    /// <summary>The buffer of memory, or of a part of it; null if the memory does not come from <see cref="OwnedMemory"/>.</summary>
    public static PooledBuffer? OwnerOf(Memory<byte> memory) =>
        MemoryMarshal.TryGetMemoryManager<byte, Owned>(memory, out Owned? owned) ? owned.Buffer : null;

    /// <summary>Keeps the memory from being used again once the buffer is returned: a call that nobody waits for any more may still write there. To be called
    /// while the buffer is rented.</summary>
    public void Lose() => isLost = true;

    /// <summary>Shortens the usable part, if less data came than was rented for.</summary>
    public void Truncate(int lengthBytes)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(lengthBytes, Length);
        Length = lengthBytes;
    }

    /// <summary>Shortens the buffer until it is given back, and returns the native memory behind it to the system. Nobody may use that part any more.
    /// </summary>
    public void Trim(int lengthBytes)
    {
        Truncate(lengthBytes);
        room = isLost ? room : pool.Trim(room, lengthBytes);
    }

    /// <summary>From now on each byte is needed only until it was read, front to back, by a stream; the rest of its life the buffer has less memory.</summary>
    public void ReadOnce()
    {
        if (MemoryMarshal.TryGetMemoryManager<byte, NativeBlock>(Room, out NativeBlock? block))
        {
            block.IsReadOnce = true;
        }
    }

    /// <summary>Sets the usable part to any length that it has room for.</summary>
    public void Resize(int lengthBytes)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(lengthBytes, Room.Length);
        Length = lengthBytes;
    }

    /// <summary>Ties an object to the life of the buffer: the object is disposed when the last user returns the buffer.</summary>
    public void Attach(IDisposable companion) => (attached ??= []).Add(companion);

    /// <summary>Adds <paramref name="count"/> users, each of whom must dispose the buffer once.</summary>
    public void AddUsers(int count = 1) => Interlocked.Add(ref users, count);

    /// <summary>Adds a user: for a method that returns a buffer, and gives it back if it fails before.</summary>
    public PooledBuffer Keep()
    {
        AddUsers();
        return this;
    }

    /// <summary>Removes one user; the last one returns the buffer.</summary>
    public void Dispose()
    {
        int left = Interlocked.Decrement(ref users);
        if (left == 0)
        {
            pool.GiveBack(room, isLost);
            attached?.ForEach(companion => companion.Dispose());
        }
        else if (left < 0)
        {
            throw new InvalidOperationException("A pooled buffer was given back more often than it was taken");
        }
    }

    private sealed class Owned(PooledBuffer buffer) : MemoryManager<byte>
    {
        public PooledBuffer Buffer { get; } = buffer;

        public override Span<byte> GetSpan() => Buffer.Span;

        public override MemoryHandle Pin(int elementIndex = 0) => Buffer.Memory[elementIndex..].Pin();

        public override void Unpin()
        {
            // The handle of the memory does it.
        }

        protected override bool TryGetArray(out ArraySegment<byte> segment) => MemoryMarshal.TryGetArray(Buffer.Memory, out segment);

        protected override void Dispose(bool disposing)
        {
            // The users of the buffer dispose it.
        }
    }
}
