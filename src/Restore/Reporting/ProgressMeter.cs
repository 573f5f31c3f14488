namespace Restore.Reporting;

/// <summary>Collects progress and reports it a few times a second and at each change of phase. Safe for concurrent use.</summary>
internal sealed class ProgressMeter(TimeProvider time, Func<long> bytesFetched)
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    private readonly Lock gate = new();
    private readonly List<PhaseDuration> phases = [];
    private readonly long start = time.GetTimestamp();
    private IProgress<RestoreProgress>? listener;
    private RestorePhase? phase;
    private long phaseStart;
    private long lastTold;
    private long filesDone;
    private long filesTotal;
    private long bytesDone;
    private long bytesTotal;
    private int volumesDone;
    private int volumesTotal;

    /// <summary>The completed phases, in order, and how long each took.</summary>
    public IReadOnlyList<PhaseDuration> Phases => phases;

    public TimeSpan Elapsed => time.GetElapsedTime(start);

    /// <summary>Bytes that the operation has read from the store.</summary>
    public long BytesFetched => bytesFetched();

    public void End()
    {
        lock (gate)
        {
            EndPhase();
            phase = null;
        }
    }

    /// <summary>Reports to this listener from now on; null for none.</summary>
    public void Listen(IProgress<RestoreProgress>? next) => listener = next;

    public void Begin(RestorePhase next, long files = 0, long bytes = 0, int volumes = 0)
    {
        lock (gate)
        {
            EndPhase();
            phase = next;
            (filesDone, filesTotal, bytesDone, bytesTotal, volumesDone, volumesTotal) = (0, files, 0, bytes, 0, volumes);
            lastTold = 0;
        }

        Tell();
    }

    /// <summary>Counts an entry. An entry that a later pass returns to does not count twice.</summary>
    public void EntryDone(long bytesWritten, bool isFile)
    {
        lock (gate)
        {
            filesDone = Math.Min(filesTotal, filesDone + (isFile ? 1 : 0));
        }

        Interlocked.Add(ref bytesDone, bytesWritten);
    }

    public void FileSeen() => Interlocked.Increment(ref filesDone);

    /// <summary>Sets how many volumes (index volumes, while locating) of how many are done.</summary>
    public void Volumes(int done, int total)
    {
        lock (gate)
        {
            volumesDone = Math.Max(volumesDone, done);
            volumesTotal = total;
        }

        Tell();
    }

    public void VolumeDone() => Interlocked.Increment(ref volumesDone);

    /// <summary>Reports to the listener, unless the last report was a moment ago.</summary>
    public void Tell()
    {
        if (listener is null)
        {
            return;
        }

        RestoreProgress snapshot;
        lock (gate)
        {
            long now = time.GetTimestamp();
            if (lastTold != 0 && phase != RestorePhase.Done && time.GetElapsedTime(lastTold, now) < Interval)
            {
                return;
            }

            lastTold = now;
            snapshot = new RestoreProgress(
                phase.GetValueOrDefault(),
                filesDone,
                filesTotal,
                bytesDone,
                bytesTotal,
                volumesDone,
                volumesTotal,
                bytesFetched(),
                time.GetElapsedTime(phaseStart, now));
        }

        listener.Report(snapshot);
    }

    private void EndPhase()
    {
        long now = time.GetTimestamp();
        TimeSpan elapsed = time.GetElapsedTime(phaseStart, now);
        phaseStart = now;
        if (phase is RestorePhase ended)
        {
            phases.Add(new PhaseDuration(ended, elapsed));
        }
    }
}
