namespace Restore.Memory;

/// <summary>
/// A rented buffer with a count of users; the last user that disposes the buffer returns it to the
/// pool.
/// </summary>
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

    /// <summary>
    /// The memory behind the buffer, at least <see cref="Length"/> long; the data starts at 0.
    /// </summary>
    public Memory<byte> Room =>
        Volatile.Read(ref users) > 0 ? room : throw new ObjectDisposedException(nameof(PooledBuffer));

    public Span<byte> Span => Room.Span[..Length];

    public Memory<byte> Memory => Room[..Length];

    /// <summary>
    /// The usable part, as memory that leads back to its buffer (<see cref="OwnerOf"/>): a store
    /// may lose the buffer to a call that hangs.
    /// </summary>
    public Memory<byte> OwnedMemory => new Owned(this).Memory;

    /// <summary>
    /// The buffer of memory, or of a part of it; null if the memory does not come from
    /// <see cref="OwnedMemory"/>.
    /// </summary>
    public static PooledBuffer? OwnerOf(Memory<byte> memory) =>
        MemoryMarshal.TryGetMemoryManager<byte, Owned>(memory, out Owned? owned) ? owned.Buffer : null;

    /// <summary>
    /// Keeps the memory from being used again after the buffer is returned: an abandoned call may
    /// still write there. Call this while the buffer is rented.
    /// </summary>
    public void Lose() => isLost = true;

    /// <summary>Shortens the usable part, if less data came than was rented for.</summary>
    public void Truncate(int lengthBytes)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(lengthBytes, Length);
        Length = lengthBytes;
    }

    /// <summary>
    /// Shortens the buffer until it is returned to the pool, and gives the native memory behind it
    /// back to the system. That part must not be used any more.
    /// </summary>
    public void Trim(int lengthBytes)
    {
        Truncate(lengthBytes);

        // An abandoned call may still write to lost memory. Unmapped, it could be mapped again for
        // something else.
        room = isLost ? room : pool.Trim(room, lengthBytes);
    }

    /// <summary>
    /// From now on each byte is needed only until it was read, front to back, by a stream; the rest
    /// of its life the buffer has less memory.
    /// </summary>
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

    /// <summary>
    /// Ties an object to the life of the buffer: the object is disposed when the last user returns
    /// the buffer.
    /// </summary>
    public void Attach(IDisposable companion) => (attached ??= []).Add(companion);

    /// <summary>
    /// Adds <paramref name="count"/> users, each of whom must dispose the buffer once.
    /// </summary>
    public void AddUsers(int count = 1) => Interlocked.Add(ref users, count);

    /// <summary>
    /// Adds a user: for a method that returns a buffer, and gives it back if it fails before.
    /// </summary>
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
            // The memory goes back first. A companion is the right to have memory (a credit or a
            // place), and the next owner of that right finds the memory in the pool.
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

        protected override bool TryGetArray(out ArraySegment<byte> segment) =>
            MemoryMarshal.TryGetArray(Buffer.Memory, out segment);

        protected override void Dispose(bool disposing)
        {
            // The users of the buffer dispose it.
        }
    }
}
