using System.Buffers;
using System.Runtime.InteropServices;
using Restore.Interop;

namespace Restore.Memory;

/// <summary>The source of every buffer of the flow: the shared <see cref="ArrayPool{T}"/>, and a list of its own for volume-sized buffers. All buffers are
/// counted: after a restore no buffer may be rented.</summary>
internal sealed class BufferPool
{
    // Fresh memory costs a page fault for each 4 KiB. The shared pool keeps an array for each thread and rounds up to a power of two: 256 MB for volumes
    // of 50 MB on four threads. So this pool keeps larger buffers itself and reuses the last returned one first.
    private const int LargeBytes = 2 << 20;
    private const int LargeRoundingBytes = 1 << 20;

    // What is kept for reuse: as much as the largest volumes that come whole may take. What is dropped stays in memory until the next collection, beside
    // what comes in its place. A small buffer does not take the array of a very large one.
    private const long MaxIdleBytes = 400 << 20;
    private const int MostUnused = 4;

    private readonly Lock gate = new();
    private readonly List<byte[]> idleLarge = [];
    private long idleBytes;
    private long droppedBytes;
    private long outstandingBuffers;
    private long outstandingBytes;
    private int expectedBytes;

    /// <summary>Buffers rented and not yet returned.</summary>
    public long OutstandingBuffers => Interlocked.Read(ref outstandingBuffers);

    /// <summary>Bytes rented and not yet returned.</summary>
    public long OutstandingBytes => Interlocked.Read(ref outstandingBytes);

    /// <summary>Rents a buffer of exactly <paramref name="lengthBytes"/> usable bytes with one user; the content is not cleared.</summary>
    public PooledBuffer Rent(int lengthBytes)
    {
        byte[] array = lengthBytes < LargeBytes ? ArrayPool<byte>.Shared.Rent(Math.Max(1, lengthBytes)) : RentLarge(lengthBytes);
        Interlocked.Increment(ref outstandingBuffers);
        Interlocked.Add(ref outstandingBytes, array.Length);
        return new PooledBuffer(this, array, lengthBytes);
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

    /// <summary>Drops the large buffers that are not rented.</summary>
    public void DropIdle()
    {
        lock (gate)
        {
            idleLarge.Clear();
            idleBytes = 0;
        }
    }

    internal void GiveBack(byte[] array, bool isLost)
    {
        Interlocked.Decrement(ref outstandingBuffers);
        Interlocked.Add(ref outstandingBytes, -array.Length);
        if (array.Length < LargeBytes)
        {
            if (!isLost)
            {
                ArrayPool<byte>.Shared.Return(array);
            }

            return;
        }

        lock (gate)
        {
            if (isLost)
            {
                droppedBytes += array.Length;
                return;
            }

            while (idleLarge.Count > 0 && idleBytes + array.Length > MaxIdleBytes)
            {
                idleBytes -= idleLarge[0].Length;
                droppedBytes += idleLarge[0].Length;
                idleLarge.RemoveAt(0);
            }

            if (array.Length <= MaxIdleBytes)
            {
                idleLarge.Add(array);
                idleBytes += array.Length;
            }
            else
            {
                droppedBytes += array.Length;
            }
        }
    }

    private byte[] RentLarge(int lengthBytes)
    {
        int room;
        bool isDropped;
        lock (gate)
        {
            room = lengthBytes >= expectedBytes / 2 ? Math.Max(lengthBytes, expectedBytes) : lengthBytes;
            int fitting = idleLarge.FindLastIndex(array => array.Length >= lengthBytes && array.Length / MostUnused <= lengthBytes);
            if (fitting >= 0)
            {
                byte[] array = idleLarge[fitting];
                idleLarge.RemoveAt(fitting);
                idleBytes -= array.Length;
                return array;
            }

            // A buffer that is too small now will be too small again: the volumes of a backup have about the same size.
            long unused = idleBytes + droppedBytes;
            isDropped = unused > 0 && OutstandingBytes + unused + room > MaxIdleBytes;
            idleLarge.RemoveAll(array => isDropped || array.Length < lengthBytes);
            idleBytes = idleLarge.Sum(array => (long)array.Length);
            droppedBytes = isDropped ? 0 : unused - idleBytes;
        }

        if (isDropped)
        {
            // Only a backup with very large volumes, or with volumes of very different length, comes here.
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        }

        long rounded = (room + (long)LargeRoundingBytes - 1) / LargeRoundingBytes * LargeRoundingBytes;
        byte[] added = GC.AllocateUninitializedArray<byte>((int)Math.Min(rounded, Array.MaxLength));
        HugePages.Advise(added);
        return added;
    }
}

/// <summary>A rented buffer with a count of users; the last user that disposes the buffer returns it to the pool.</summary>
internal sealed class PooledBuffer : IDisposable
{
    private readonly BufferPool pool;
    private byte[]? array;
    private int users = 1;
    private volatile bool isLost;
    private List<IDisposable>? attached;

    internal PooledBuffer(BufferPool pool, byte[] array, int length)
    {
        this.pool = pool;
        this.array = array;
        Length = length;
    }

    /// <summary>Usable bytes.</summary>
    public int Length { get; private set; }

    /// <summary>The array behind the buffer, at least <see cref="Length"/> long; the data starts at 0.</summary>
    public byte[] Array => array ?? throw new ObjectDisposedException(nameof(PooledBuffer));

    public Span<byte> Span => Array.AsSpan(0, Length);

    public Memory<byte> Memory => Array.AsMemory(0, Length);

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

    /// <summary>Sets the usable part to any length that the array behind it has room for.</summary>
    public void Resize(int lengthBytes)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(lengthBytes, Array.Length);
        Length = lengthBytes;
    }

    /// <summary>Ties an object to the life of the buffer: the object is disposed when the last user returns the buffer.</summary>
    public void Attach(IDisposable companion) => (attached ??= []).Add(companion);

    /// <summary>Adds <paramref name="count"/> users, each of whom must dispose the buffer once.</summary>
    public void AddUsers(int count = 1) => Interlocked.Add(ref users, count);

    /// <summary>Removes one user; the last one returns the buffer.</summary>
    public void Dispose()
    {
        int left = Interlocked.Decrement(ref users);
        if (left == 0)
        {
            byte[] released = Array;
            array = null;
            pool.GiveBack(released, isLost);
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
            // The handle of the array does it.
        }

        protected override bool TryGetArray(out ArraySegment<byte> segment)
        {
            segment = new ArraySegment<byte>(Buffer.Array, 0, Buffer.Length);
            return true;
        }

        protected override void Dispose(bool disposing)
        {
            // The users of the buffer dispose it.
        }
    }
}

/// <summary>Asks Linux to back an array with huge pages: one page fault for each 2 MiB instead of one for each 4 KiB. Elsewhere does nothing.</summary>
internal static unsafe class HugePages
{
    private const int PageBytes = 2 << 20;
    private const int Advice = 14;

    /// <summary>Advises the system; it may refuse, and the array is as usable as before. Memory that is not written stays unused.</summary>
    public static void Advise(byte[] array)
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        fixed (byte* start = &MemoryMarshal.GetArrayDataReference(array))
        {
            nuint first = ((nuint)start + PageBytes - 1) / PageBytes * PageBytes;
            nuint end = ((nuint)start + (nuint)array.Length) / PageBytes * PageBytes;
            if (first < end)
            {
                _ = Libc.MAdvise(first, end - first, Advice);
            }
        }
    }
}
