namespace Restore.Ends.Linux;

/// <summary>
/// Aligned buffers and a thread: one buffer is filled while earlier ones are written in order. The
/// writer has a thread of its own, because the thread only waits for the device and would block a
/// worker of the thread pool.
/// </summary>
internal sealed class WriteBehind : IDisposable
{
    /// <summary>
    /// The alignment of offsets, lengths and addresses that devices, file systems and memory need.
    /// </summary>
    public const int AlignmentBytes = 4096;

    public const int BufferBytes = 1 << 20;

    // Blocks come in bursts: with two buffers the producer waited for the device for a third of the
    // time.
    private const int Buffers = 4;

    private readonly object gate = new();
    private readonly Queue<(Memory<byte> Buffer, Action Write)> pending = new(Buffers);
    private readonly Stack<Memory<byte>> idle = new(Buffers);
    private bool hasThread;
    private bool isEnded;

    public WriteBehind() => Buffer = Take();

    public Memory<byte> Buffer { get; private set; }

    /// <summary>
    /// Queues the filled buffer for writing and continues with another one, if there is one.
    /// </summary>
    public void Begin(Action write)
    {
        if (!hasThread)
        {
            hasThread = true;
            new Thread(Run) { IsBackground = true, Name = "Restore direct write" }.Start();
        }

        lock (gate)
        {
            pending.Enqueue((Buffer, write));
            Monitor.PulseAll(gate);
            while (pending.Count == Buffers)
            {
                Monitor.Wait(gate);
            }

            Buffer = Take();
        }
    }

    public void Dispose()
    {
        lock (gate)
        {
            isEnded = true;
            Monitor.PulseAll(gate);
        }
    }

    private void Run()
    {
        while (true)
        {
            (Memory<byte> Buffer, Action Write) next;
            lock (gate)
            {
                while (!pending.TryPeek(out next) && !isEnded)
                {
                    Monitor.Wait(gate);
                }
            }

            if (next.Write is null)
            {
                return;
            }

            next.Write();
            lock (gate)
            {
                // The buffer counts as pending until it is written.
                pending.Dequeue();
                idle.Push(next.Buffer);
                Monitor.PulseAll(gate);
            }
        }
    }

    /// <summary>
    /// A free buffer, or a new one. If the device keeps up, one or two are enough for a file.
    /// </summary>
    private Memory<byte> Take()
    {
        if (idle.TryPop(out Memory<byte> buffer))
        {
            return buffer;
        }

        byte[] array = GC.AllocateUninitializedArray<byte>(BufferBytes + AlignmentBytes, pinned: true);
        return array.AsMemory(PaddingOf(array), BufferBytes);
    }

    /// <summary>Bytes before the first aligned address; the array is pinned.</summary>
    private static unsafe int PaddingOf(byte[] array)
    {
        nuint address = (nuint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(array));
        return (int)((AlignmentBytes - (address % AlignmentBytes)) % AlignmentBytes);
    }
}
