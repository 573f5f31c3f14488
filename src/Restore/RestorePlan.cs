using Restore.Catalog;
using Restore.Format;
using Restore.Planning;
using Restore.Restoring;
using Restore.Volumes;

namespace Restore;

/// <summary>A volume that a plan reads.</summary>
/// <param name="Name">Its name in the store.</param>
/// <param name="SizeBytes">Its size.</param>
/// <param name="BytesToFetch">About how much of it will be read.</param>
public sealed record PlannedVolume(string Name, long SizeBytes, long BytesToFetch)
{
    /// <summary>In about how many requests.</summary>
    public int Requests { get; init; } = 1;
}

/// <summary>What a restore will do, decided: read off it what it will cost, then execute it, once.</summary>
public sealed class RestorePlan
{
    private readonly PreparedRestore prepared;
    private readonly long startTimestamp;
    private readonly long bytesFetchedBefore;
    private readonly RestoreIssue[] loggedIssues;
    private int wasExecuted;

    internal RestorePlan(PreparedRestore prepared, long startTimestamp, long bytesFetchedBefore)
    {
        this.prepared = prepared;
        this.startTimestamp = startTimestamp;
        this.bytesFetchedBefore = bytesFetchedBefore;

        // Locating goes on while the plan is executed, and adds to the issues.
        loggedIssues = [.. prepared.Issues];
        foreach (EntryId entry in prepared.Included())
        {
            EntryKind kind = prepared.Content.Entries[entry].Kind;
            Files += prepared.Content.IsFile(entry) ? 1 : 0;
            Folders += kind == EntryKind.Folder ? 1 : 0;
            Symlinks += kind == EntryKind.Symlink ? 1 : 0;
            FilesUnchanged += prepared.Content.IsFile(entry) && prepared.Entries[entry] == EntryAction.Keep ? 1 : 0;
            Bytes += prepared.Content.SizeOf(entry);
        }

        BytesToWrite = prepared.CountToWrite().Bytes;
        RangePolicy ranges = RangePolicy.Resolve(prepared.Options, prepared.Session.Store);
        Volumes = [.. prepared.FirstPass.Demand.Volumes.Select(demand => Describe(demand, ranges))];
        BytesToFetch = Volumes.Sum(volume => volume.BytesToFetch);
        BytesOfVolumes = Volumes.Sum(volume => volume.SizeBytes);
        Requests = Volumes.Sum(volume => (long)volume.Requests);
    }

    /// <summary>The version to be restored.</summary>
    public BackupVersion Version => prepared.Version;

    /// <summary>Files selected, without those refused.</summary>
    public long Files { get; }

    /// <summary>Folders selected.</summary>
    public long Folders { get; }

    /// <summary>Links selected.</summary>
    public long Symlinks { get; }

    /// <summary>Length of the contents of the selected files.</summary>
    public long Bytes { get; }

    /// <summary>Files that are right at the target already.</summary>
    public long FilesUnchanged { get; }

    /// <summary>Bytes of content still to be put in place.</summary>
    public long BytesToWrite { get; }

    /// <summary>Bytes to be read from block volumes.</summary>
    public long BytesToFetch { get; }

    /// <summary>Size of the block volumes that those bytes are read from, as a whole: what must be thawed when they are in archive storage.</summary>
    public long BytesOfVolumes { get; }

    /// <summary>About how many requests for block volumes that takes, without those that have to be repeated.</summary>
    public long Requests { get; }

    /// <summary>The rate that downloads keep to (<c>throttle-download</c>, as an option or in the URL); null when they go as fast as they can.</summary>
    public long? ThrottleBytesPerSecond => prepared.Session.Store.BytesPerSecond;

    /// <summary>The block volumes to be read, in order.</summary>
    public IReadOnlyList<PlannedVolume> Volumes { get; }

    /// <summary>What is known already to go wrong: refused entries, damaged volumes met while planning.</summary>
    public IReadOnlyList<RestoreIssue> Issues => prepared.Issues;

    /// <summary>Carries the plan out. Entries that fail are in the report; only the failure of the whole run throws.</summary>
    /// <param name="progress">Told how far it is, or null.</param>
    /// <param name="cancellationToken">Stops at once; what is half done is removed.</param>
    /// <returns>What came of it.</returns>
    /// <exception cref="RestoreException">The run as a whole failed: target full or not writable, store gone.</exception>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    public Task<RestoreReport> ExecuteAsync(IProgress<RestoreProgress>? progress = null, CancellationToken cancellationToken = default) =>
        ExecuteAsync(progress, CancellationToken.None, cancellationToken);

    /// <summary>Carries the plan out, with a gentle way to stop.</summary>
    /// <param name="progress">Told how far it is, or null.</param>
    /// <param name="stopToken">
    /// Hands out no more volumes and ends in good order: files whose blocks are all there are finished, unfinished new ones are removed. A second run does
    /// the rest.
    /// </param>
    /// <param name="cancellationToken">Stops at once.</param>
    /// <returns>What came of it.</returns>
    /// <exception cref="RestoreException">The run as a whole failed.</exception>
    /// <exception cref="OperationCanceledException">It was stopped or cancelled.</exception>
    /// <exception cref="InvalidOperationException">The plan was executed before.</exception>
    public async Task<RestoreReport> ExecuteAsync(IProgress<RestoreProgress>? progress, CancellationToken stopToken, CancellationToken cancellationToken)
    {
        if (Interlocked.Exchange(ref wasExecuted, 1) != 0)
        {
            throw new InvalidOperationException("A plan is executed once: what it knows of the target is old after that");
        }

        prepared.Progress.Listen(progress);
        return await RestoreTelemetry.WatchAsync("Execute", _ => RunAsync(stopToken, cancellationToken)).ConfigureAwait(false);
    }

    private async Task<RestoreReport> RunAsync(CancellationToken stopToken, CancellationToken cancellationToken)
    {
        RunResult run = await new RestoreRun(prepared).RunAsync(stopToken, cancellationToken).ConfigureAwait(false);
        prepared.Progress.Begin(RestorePhase.Done);
        TimeSpan elapsed = prepared.Session.Options.TimeProvider.GetElapsedTime(startTimestamp);
        RestoreReport report = new ReportBuilder(prepared, run).Build(elapsed, prepared.Session.Store.BytesFetched - bytesFetchedBefore);
        Log.Issues(prepared.Session.Logger, report.Issues, except: loggedIssues);
        Log.Restored(prepared.Session.Logger, Version.Index, report.FilesRestored, report.BytesRestored, report.Issues.Count);
        return report;
    }

    private PlannedVolume Describe(WantedVolume demand, RangePolicy ranges)
    {
        Volume volume = demand.Volume;
        long wantedBytes = prepared.FirstPass.Demand.BytesOf(demand);
        return new(volume.FileName, volume.SizeBytes, ranges.Estimate(volume, wantedBytes, prepared.Session.Store))
        {
            Requests = ranges.EstimateRequests(volume, wantedBytes, prepared.Session.Store),
        };
    }
}
