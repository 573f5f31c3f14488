namespace Restore.Csp;

/// <summary>
/// The counts of one copy of a process. The clock is read only around a wait: time that is neither
/// reading nor writing is working.
/// </summary>
internal class Meter(TimeProvider time)
{
    private long begun;
    private long ended;
    public long MessagesRead { get; private set; }
    public long BytesRead { get; private set; }
    public long MessagesWritten { get; private set; }
    public long BytesWritten { get; private set; }
    public TimeSpan Reading { get; private set; }
    public TimeSpan Writing { get; private set; }

    public TimeSpan Working
    {
        get
        {
            TimeSpan rest = time.GetElapsedTime(begun, ended) - Reading - Writing;
            return rest > TimeSpan.Zero ? rest : TimeSpan.Zero;
        }
    }

    public virtual void Begin() => begun = time.GetTimestamp();

    public virtual void End() => ended = time.GetTimestamp();

    public long Now() => time.GetTimestamp();

    public void WaitedToRead(long since) => Reading += time.GetElapsedTime(since);

    public void WaitedToWrite(long since) => Writing += time.GetElapsedTime(since);

    public virtual void CountRead<T>(T message)
    {
        MessagesRead++;
        BytesRead += message is IMeasured measured ? measured.Bytes : 0;
    }

    public virtual void CountWritten<T>(T message)
    {
        MessagesWritten++;
        BytesWritten += message is IMeasured measured ? measured.Bytes : 0;
    }
}
