using System.Runtime.ExceptionServices;
using Restore.Threads;

namespace Restore.Maintenance.Database;

/// <summary>
/// Inserts rows on a thread of its own, while their producer reads the next entries. Rows come in batches of one table; the order within a table is kept.
/// </summary>
internal sealed class RowWriter : IDisposable
{
    // 16 batches are less than a megabyte, and enough for either side to go on while the other one is held up.
    private const int MaxWaiting = 16;

    private readonly OwnThreads threads = new();
    private readonly object gate = new();
    private readonly Queue<RowBatch> waiting = new();
    private readonly Stack<RowBatch> free = new();
    private ExceptionDispatchInfo? failure;
    private bool isRunning;

    /// <summary>An empty batch.</summary>
    public RowBatch Rent()
    {
        lock (gate)
        {
            return free.TryPop(out RowBatch? batch) ? batch : new RowBatch();
        }
    }

    /// <summary>Takes over a batch; waits while there are too many.</summary>
    /// <exception cref="Exception">An earlier batch could not be inserted.</exception>
    public void Send(RowBatch batch)
    {
        lock (gate)
        {
            while (waiting.Count >= MaxWaiting && failure is null)
            {
                Monitor.Wait(gate);
            }

            failure?.Throw();
            waiting.Enqueue(batch);
            if (!isRunning)
            {
                isRunning = true;
                _ = threads.RunAsync(InsertAll);
            }
        }
    }

    /// <summary>Waits until all batches are inserted.</summary>
    /// <exception cref="Exception">One could not be inserted.</exception>
    public void Flush()
    {
        lock (gate)
        {
            WaitForEnd();
            failure?.Throw();
        }
    }

    /// <summary>Drops the batches that wait, and waits for the one that is being inserted.</summary>
    public void Dispose()
    {
        lock (gate)
        {
            waiting.Clear();
            WaitForEnd();
        }
    }

    private void WaitForEnd()
    {
        while (isRunning)
        {
            Monitor.Wait(gate);
        }
    }

    private void InsertAll()
    {
        while (Next() is { } batch)
        {
            try
            {
                batch.Insert();
            }
            catch (Exception thrown)
            {
                Fail(thrown);
            }

            Return(batch);
        }
    }

    /// <summary>The next batch; null, and the thread ends, if there is none.</summary>
    private RowBatch? Next()
    {
        lock (gate)
        {
            isRunning = waiting.TryDequeue(out RowBatch? batch);
            Monitor.PulseAll(gate);
            return batch;
        }
    }

    private void Fail(Exception thrown)
    {
        lock (gate)
        {
            failure = ExceptionDispatchInfo.Capture(thrown);
            waiting.Clear();
        }
    }

    private void Return(RowBatch batch)
    {
        lock (gate)
        {
            free.Push(batch);
        }
    }
}
