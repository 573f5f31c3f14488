namespace Restore.Reporting;

/// <summary>
/// Collects progress and reports it a few times a second and at each change of phase. Safe for
/// concurrent use.
/// </summary>
internal sealed class ProgressMeter
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    // The gate guards the counts. The other lock keeps reports in order, and is taken first. The
    // listener is called without the gate, so a slow listener does not stop the work.
    private readonly Lock gate = new();
    private readonly Lock reporting = new();
    private readonly List<PhaseDuration> phases = [];
    private readonly TimeProvider time;
    private readonly FetchCount fetched;
    private readonly long start;
    private IProgress<RestoreProgress>? listener;
    private RestorePhase? phase;
    private ITimer? later;
    private long phaseStart;
    private long lastReport;
    private long filesDone;
    private long filesTotal;
    private long bytesDone;
    private long bytesTotal;
    private long bytesToFetch;
    private long fetchedBeforePhase;
    private int volumesDone;
    private int volumesTotal;
    private (long Files, long Bytes, int Volumes) restored;

    public ProgressMeter(TimeProvider time, FetchCount? fetched = null)
    {
        (this.time, this.fetched, start) = (time, fetched ?? new FetchCount(), time.GetTimestamp());
        this.fetched.Changed = () => Report();
    }

    /// <summary>The completed phases, in order, and how long each took.</summary>
    public IReadOnlyList<PhaseDuration> Phases => phases;

    public TimeSpan Elapsed => time.GetElapsedTime(start);

    /// <summary>
    /// Names the entry that got data last. Called for each report in the restoring phase.
    /// </summary>
    public Func<string?>? CurrentPath { get; set; }

    /// <summary>Bytes that the operation has read from the store.</summary>
    public long BytesFetched => fetched.Bytes;

    /// <summary>
    /// Bytes that were fetched before the operation, to make its plan: progress goes on from them.
    /// </summary>
    public long FetchedBefore { get; init; }

    private long FetchedSoFar => FetchedBefore + fetched.Bytes;

    public void End()
    {
        // After this lock is taken, no report is under way.
        lock (reporting)
        {
            lock (gate)
            {
                EndPhase();
                phase = null;
                later?.Dispose();
                later = null;
            }
        }
    }

    /// <summary>Reports to this listener from now on; null for none.</summary>
    public void Listen(IProgress<RestoreProgress>? next) => listener = next;

    public void Begin(RestorePhase next, long files = 0, long bytes = 0, int volumes = 0, long toFetch = 0)
    {
        lock (gate)
        {
            if (phase == RestorePhase.Restoring)
            {
                restored = (filesTotal, bytesTotal, volumesTotal);
            }

            EndPhase();
            phase = next;
            bool isDone = next == RestorePhase.Done;
            if (isDone)
            {
                // The last report names the totals of the restore, all of them done: a listener that
                // shows only what came last must not show 0 of 0.
                (files, bytes, volumes) = restored;
            }

            (filesTotal, bytesTotal, volumesTotal) = (files, bytes, volumes);
            (filesDone, bytesDone, volumesDone) = isDone ? restored : default;

            // The count of fetched bytes goes on through all phases, so the total begins there.
            fetchedBeforePhase = FetchedSoFar;
            bytesToFetch = toFetch == 0 ? 0 : fetchedBeforePhase + toFetch;
        }

        Report(always: true);
    }

    /// <summary>
    /// Counts an entry. An entry that a later pass returns to does not count twice.
    /// </summary>
    public void EntryDone(long bytesWritten, bool isFile)
    {
        lock (gate)
        {
            filesDone = Math.Min(filesTotal, filesDone + (isFile ? 1 : 0));
        }

        Interlocked.Add(ref bytesDone, bytesWritten);
    }

    /// <summary>Counts bytes of an entry that is not done.</summary>
    public void Advance(long bytes)
    {
        Interlocked.Add(ref bytesDone, bytes);
        Report();
    }

    public void FileSeen() => Interlocked.Increment(ref filesDone);

    /// <summary>
    /// Sets how many volumes (index volumes, while locating) of how many are done.
    /// </summary>
    public void Volumes(int done, int total)
    {
        lock (gate)
        {
            volumesDone = Math.Max(volumesDone, done);
            volumesTotal = total;
        }

        Report();
    }

    public void VolumeDone() => Interlocked.Increment(ref volumesDone);

    /// <summary>Another pass fetches more than the plan said.</summary>
    public void AddToFetch(long bytes, int volumes)
    {
        lock (gate)
        {
            volumesTotal += volumes;
            bytesToFetch = Math.Max(bytesToFetch, FetchedSoFar) + bytes;
        }
    }

    /// <summary>
    /// Reports to the listener, unless the last report was a moment ago, or one is under way:
    /// reports come one at a time and in order.
    /// </summary>
    /// <param name="always">Reports in any case.</param>
    public void Report(bool always = false)
    {
        if (listener is null)
        {
            return;
        }

        if (always)
        {
            reporting.Enter();
        }
        else if (!reporting.TryEnter())
        {
            lock (gate)
            {
                ReportLater();
            }

            return;
        }

        try
        {
            if (Next(always) is { } snapshot)
            {
                listener.Report(snapshot);
            }
        }
        finally
        {
            reporting.Exit();
        }
    }

    private RestoreProgress? Next(bool always)
    {
        lock (gate)
        {
            long now = time.GetTimestamp();
            if (phase is not RestorePhase current)
            {
                return null;
            }

            if (!always && time.GetElapsedTime(lastReport, now) < Interval)
            {
                ReportLater();
                return null;
            }

            // This report includes what the delayed one would say.
            later?.Dispose();
            later = null;
            lastReport = now;
            return new RestoreProgress(
                current,
                filesDone,
                filesTotal,
                bytesDone,
                bytesTotal,
                volumesDone,
                volumesTotal,
                FetchedSoFar,
                time.GetElapsedTime(phaseStart, now)
            )
            {
                BytesToFetch = bytesToFetch,
                BytesFetchedBefore = fetchedBeforePhase,
                OpenRequests = fetched.OpenRequests,
                Retry = fetched.Retry,
                CurrentPath = current == RestorePhase.Restoring ? CurrentPath?.Invoke() : null,
            };
        }
    }

    /// <summary>A change that is not reported now may be the last one for long.</summary>
    private void ReportLater() =>
        later ??= phase is null
            ? null
            : time.CreateTimer(_ => Report(always: true), state: null, Interval, Timeout.InfiniteTimeSpan);

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
