namespace Restore.Writing;

/// <summary>
/// Counts what a backup does, and reports it a few times a second. Safe for concurrent use.
/// </summary>
internal sealed class WriterMeter(BackupWriterOptions options, Func<long> bytesWritten)
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(200);

    private readonly Lock gate = new();
    private readonly long start = options.TimeProvider.GetTimestamp();
    private long lastReport;
    private long filesDone;
    private long filesUnchanged;
    private long bytesDone;
    private long bytesRead;
    private int volumes;

    public long BytesRead => Interlocked.Read(ref bytesRead);

    public long FilesUnchanged => Interlocked.Read(ref filesUnchanged);

    public TimeSpan Elapsed => options.TimeProvider.GetElapsedTime(start);

    public void Read(long bytes)
    {
        Interlocked.Add(ref bytesRead, bytes);
        Report(isLast: false);
    }

    public void FileDone(long sizeBytes, bool isUnchanged)
    {
        Interlocked.Increment(ref filesDone);
        Interlocked.Add(ref filesUnchanged, isUnchanged ? 1 : 0);
        Interlocked.Add(ref bytesDone, sizeBytes);
        Report(isLast: false);
    }

    public void VolumeWritten()
    {
        Interlocked.Increment(ref volumes);
        Report(isLast: false);
    }

    public void Report(bool isLast)
    {
        if (options.Progress is not { } listener)
        {
            return;
        }

        lock (gate)
        {
            long now = options.TimeProvider.GetTimestamp();
            if (isLast || lastReport == 0 || options.TimeProvider.GetElapsedTime(lastReport, now) >= Interval)
            {
                lastReport = now;
                listener.Report(
                    new BackupWriterProgress(filesDone, bytesDone, bytesRead, volumes, bytesWritten(), Elapsed)
                );
            }
        }
    }
}
