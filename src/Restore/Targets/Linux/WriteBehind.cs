using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Restore.Targets.Linux;

/// <summary>
/// Two aligned buffers and a thread: one buffer is filled while the other is written. The thread is the write's own, because it does nothing but wait for the
/// device; a worker of the thread pool would be missing elsewhere.
/// </summary>
internal sealed class WriteBehind : IDisposable
{
    /// <summary>What device, file system and memory want offsets, lengths and addresses to be multiples of.</summary>
    public const int AlignmentBytes = 4096;

    /// <summary>The room of each buffer.</summary>
    public const int BufferBytes = 1 << 20;

    private readonly byte[] array = GC.AllocateUninitializedArray<byte>((2 * BufferBytes) + AlignmentBytes, pinned: true);
    private readonly object gate = new();
    private readonly int start;
    private int half;
    private Func<int>? pending;
    private int outcome;
    private bool hasThread;
    private bool isEnded;

    public WriteBehind() => start = PaddingOf(array);

    /// <summary>The buffer to be filled.</summary>
    public Memory<byte> Buffer => array.AsMemory(start + (half * BufferBytes), BufferBytes);

    /// <summary>Lets the filled buffer be written and goes on with the other one. <see cref="Wait"/> comes first.</summary>
    /// <param name="write">Writes it; a result below zero is a negative error number.</param>
    public void Begin(Func<int> write)
    {
        if (!hasThread)
        {
            hasThread = true;
            new Thread(Run) { IsBackground = true, Name = "Restore direct write" }.Start();
        }

        half = 1 - half;
        lock (gate)
        {
            pending = write;
            Monitor.PulseAll(gate);
        }
    }

    /// <summary>Waits until nothing is being written.</summary>
    /// <returns>What came of the last write; zero when there was none since.</returns>
    public int Wait()
    {
        lock (gate)
        {
            while (pending is not null)
            {
                Monitor.Wait(gate);
            }

            int result = outcome;
            outcome = 0;
            return result;
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
            Func<int>? write;
            lock (gate)
            {
                while (pending is null && !isEnded)
                {
                    Monitor.Wait(gate);
                }

                write = pending;
            }

            if (write is null)
            {
                return;
            }

            int result = write();
            lock (gate)
            {
                (outcome, pending) = (result, null);
                Monitor.PulseAll(gate);
            }
        }
    }

    /// <summary>Bytes before the first aligned address; the array is pinned.</summary>
    private static unsafe int PaddingOf(byte[] array)
    {
        nuint address = (nuint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(array));
        return (int)((AlignmentBytes - (address % AlignmentBytes)) % AlignmentBytes);
    }
}
