using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Restore.Ends.Linux;

/// <summary>
/// Aligned buffers and a thread: one is filled while those before it are written, one after the other. The thread is the write's own, because it
/// does nothing but wait for the device; a worker of the thread pool would be missing elsewhere.
/// </summary>
internal sealed class WriteBehind : IDisposable
{
    /// <summary>What device, file system and memory want offsets, lengths and addresses to be multiples of.</summary>
    public const int AlignmentBytes = 4096;

    /// <summary>The room of each buffer.</summary>
    public const int BufferBytes = 1 << 20;

    // Blocks come in bursts: with two buffers the one who fills them waited for the device for a third of the time.
    private const int Buffers = 4;

    private readonly object gate = new();
    private readonly Queue<(Memory<byte> Buffer, Action Write)> pending = new(Buffers);
    private readonly Stack<Memory<byte>> idle = new(Buffers);
    private bool hasThread;
    private bool isEnded;

    public WriteBehind() => Buffer = Take();

    /// <summary>The buffer to be filled.</summary>
    public Memory<byte> Buffer { get; private set; }

    /// <summary>Lets the filled buffer be written and goes on with another one, when there is one.</summary>
    /// <param name="write">Writes it.</param>
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
                // It counts as pending until it is written.
                pending.Dequeue();
                idle.Push(next.Buffer);
                Monitor.PulseAll(gate);
            }
        }
    }

    /// <summary>A buffer that is free, or a new one: of a file that the device keeps up with one or two are enough.</summary>
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
