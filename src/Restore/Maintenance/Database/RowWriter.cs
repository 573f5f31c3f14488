using System.Runtime.ExceptionServices;

namespace Restore.Maintenance.Database;

/// <summary>
/// Inserts rows on a thread of its own, while their producer reads the next entries. Rows come in
/// batches of one table; the order within a table is kept.
/// </summary>
internal sealed class RowWriter : IDisposable
{
    // 16 batches are less than a megabyte, and enough for each side to continue while the other one
    // is held up.
    private const int MaxWaiting = 16;

    private readonly BlockingCollection<Action> waiting = new(MaxWaiting);
    private readonly ConcurrentBag<RowBatch> free = [];
    private readonly Thread thread;
    private volatile ExceptionDispatchInfo? failure;
    private volatile bool isDisposed;

    public RowWriter()
    {
        thread = new Thread(Run) { IsBackground = true, Name = "Restore" };
        thread.UnsafeStart();
    }

    public RowBatch Rent() => free.TryTake(out RowBatch? batch) ? batch : new RowBatch();

    /// <summary>Takes over a batch; waits while there are too many.</summary>
    /// <exception cref="Exception">An earlier batch could not be inserted.</exception>
    public void Send(RowBatch batch)
    {
        failure?.Throw();
        waiting.Add(() => Insert(batch));
    }

    /// <summary>Waits until all batches are inserted.</summary>
    /// <exception cref="Exception">One could not be inserted.</exception>
    public void Flush()
    {
        using ManualResetEventSlim done = new();
        waiting.Add(done.Set);
        done.Wait();
        failure?.Throw();
    }

    /// <summary>
    /// Drops the batches that wait, and waits for the one that is being inserted.
    /// </summary>
    public void Dispose()
    {
        if (!isDisposed)
        {
            isDisposed = true;
            waiting.CompleteAdding();
            thread.Join();
            waiting.Dispose();
        }
    }

    private void Run()
    {
        foreach (Action work in waiting.GetConsumingEnumerable())
        {
            work();
        }
    }

    private void Insert(RowBatch batch)
    {
        try
        {
            // After a failure, batches are still taken from the queue, so that the producer does
            // not wait without end. It gets the failure with the next batch.
            if (failure is null && !isDisposed)
            {
                batch.Insert();
                free.Add(batch);
            }
        }
        catch (Exception thrown)
        {
            failure = ExceptionDispatchInfo.Capture(thrown);
        }
    }
}
