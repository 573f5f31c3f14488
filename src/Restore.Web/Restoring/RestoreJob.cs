namespace Restore.Web.Restoring;

/// <summary>A restore or a drill that the page asked for. A pause ends the run gracefully, and going on makes the plan again: files that are right are kept, so
/// no byte is written twice.</summary>
internal sealed class RestoreJob(BrowseSession session, int id, string? folder, IReadOnlyList<RestorePart> parts)
    : IProgress<RestoreProgress>, IAsyncDisposable
{
    private const int MaxIssues = 200;
    private const int MaxRanges = 10;

    private readonly Lock gate = new();
    private readonly List<RestorePlan> plans = [];
    private readonly List<RestoreReport> reports = [];
    private CancellationTokenSource pause = new();
    private CancellationTokenSource cancel = new();
    private JobState state = JobState.Planned;
    private string? error;
    private int part;
    private RestoreProgress? progress;
    private ReportAnswer? report;
    private Task run = Task.CompletedTask;

    public int Id => id;

    public bool IsOver => Snapshot().State is JobState.Planned or JobState.Paused or JobState.Stopped or JobState.Failed or JobState.Done;

    public async Task PlanAsync(CancellationToken cancellationToken)
    {
        List<RestorePlan> made = [];
        foreach (RestorePart one in parts)
        {
            made.Add(await one.PlanAsync(session.Backup, cancellationToken).ConfigureAwait(false));
        }

        lock (gate)
        {
            plans.Clear();
            plans.AddRange(made);
        }
    }

    public JobAnswer Snapshot()
    {
        lock (gate)
        {
            ProgressAnswer? now = progress is RestoreProgress last
                ? new ProgressAnswer(
                    part, last.Phase, last.FilesDone, last.FilesTotal, last.BytesDone, last.BytesTotal, last.BytesFetched, last.BytesToFetch, last.Fraction,
                    last.OpenRequests, last.Retry, last.Elapsed.TotalSeconds)
                : null;
            PartAnswer[] plan = [.. parts.Zip(plans, (one, its) => one.Describe(its, session.CostOf(its.BytesToFetch)))];
            return new JobAnswer(id, state, folder, error, plan, now, report);
        }
    }

    /// <summary>Starts the restore, or continues after a pause. False if its state does not allow that.</summary>
    public bool TryStart()
    {
        lock (gate)
        {
            if (state is not (JobState.Planned or JobState.Paused))
            {
                return false;
            }

            bool isAgain = state == JobState.Paused;
            pause.Dispose();
            cancel.Dispose();
            (pause, cancel) = (new CancellationTokenSource(), CancellationTokenSource.CreateLinkedTokenSource(session.Stopping));
            (state, error) = (JobState.Running, null);
            run = Task.Run(() => RunAsync(isAgain), CancellationToken.None);
            return true;
        }
    }

    public bool TryPause() => TryEnd(JobState.Running, JobState.Pausing, () => pause);

    public bool TryStop()
    {
        lock (gate)
        {
            if (state is JobState.Planned or JobState.Paused)
            {
                state = JobState.Stopped;
                return true;
            }
        }

        return TryEnd(JobState.Running, JobState.Stopping, () => cancel) || TryEnd(JobState.Pausing, JobState.Stopping, () => cancel);
    }

    public async ValueTask DisposeAsync()
    {
        await run.ConfigureAwait(false);
        pause.Dispose();
        cancel.Dispose();
    }

    void IProgress<RestoreProgress>.Report(RestoreProgress value)
    {
        lock (gate)
        {
            progress = value;
        }
    }

    private bool TryEnd(JobState from, JobState to, Func<CancellationTokenSource> source)
    {
        lock (gate)
        {
            if (state != from)
            {
                return false;
            }

            state = to;
        }

        source().Cancel();
        return true;
    }

    private async Task RunAsync(bool isAgain)
    {
        try
        {
            if (isAgain)
            {
                await PlanAsync(cancel.Token).ConfigureAwait(false);
            }

            reports.Clear();
            for (int i = 0; i < plans.Count; i++)
            {
                lock (gate)
                {
                    part = i;
                }

                reports.Add(await session.Backup
                    .ExecuteAsync(plans[i], new ExecuteOptions { Progress = this, StopToken = pause.Token }, cancel.Token).ConfigureAwait(false));
                session.Health.Add(reports[^1]);
            }

            List<WholeFile> whole = [];
            foreach (RestoreReport one in reports.Where(one => !one.VerifyOnly && one.Issues.Any(issue => issue.LostRanges.Count > 0)))
            {
                whole.AddRange(await session.Backup.FindWholeAsync(one, cancel.Token).ConfigureAwait(false));
            }

            End(JobState.Done, null, Describe(whole));
        }
        catch (OperationCanceledException)
        {
            End(Snapshot().State == JobState.Pausing ? JobState.Paused : JobState.Stopped, null, null);
        }
        catch (Exception failure)
        {
            End(JobState.Failed, failure is RestoreException or IOException ? failure.Message : $"Unexpected error ({failure.Message})", null);
        }
    }

    private void End(JobState ended, string? why, ReportAnswer? result)
    {
        lock (gate)
        {
            (state, error, report) = (ended, why, result);
        }
    }

    private ReportAnswer Describe(List<WholeFile> whole)
    {
        (RestoreIssue Issue, BackupVersion Version)[] issues = [.. reports.SelectMany(one => one.Issues, (one, issue) => (issue, one.Version))];
        Dictionary<string, int> wholeIn = whole.GroupBy(file => file.Path).ToDictionary(files => files.Key, files => files.First().Version.Index);
        return new ReportAnswer(
            reports.TrueForAll(one => one.IsComplete),
            reports.Sum(one => one.FilesRestored),
            reports.Sum(one => one.FilesUnchanged),
            reports.Sum(one => one.BytesRestored),
            reports.Sum(one => one.BytesWritten),
            reports.Sum(one => one.BytesFetched),
            reports.Sum(one => one.Elapsed.TotalSeconds),
            issues.Length,
            [.. issues.Take(MaxIssues).Select(one => Describe(one.Issue, one.Version, wholeIn))]);
    }

    private static IssueAnswer Describe(RestoreIssue issue, BackupVersion version, Dictionary<string, int> wholeIn) => new(
        issue.Kind,
        issue.Path,
        issue.Reason,
        [.. issue.LostRanges.Take(MaxRanges)],
        issue.LostRanges.Count + issue.LostRangesLeftOut,
        wholeIn.TryGetValue(issue.Path, out int whole) ? whole : null,
        issue.Versions?.Newest ?? version.Index);
}

/// <summary>What a restore takes from one version, and where it puts it.</summary>
internal sealed record RestorePart(BackupVersion Version, RestoreOptions Options)
{
    private const int MaxIssues = 50;

    /// <summary>Entries of several versions may have the same path, so each version gets its own folder then.</summary>
    public static IReadOnlyList<RestorePart> Divide(
        IReadOnlyList<ServedEntry> entries, RestoreRequest request, string folder, IReadOnlyList<string> names, IReadOnlyList<BackupVersion> versions)
    {
        IGrouping<BackupVersion, ServedEntry>[] groups = [.. entries.GroupBy(entry => entry.Version).OrderBy(group => group.Key.Index)];
        return
        [
            .. groups.Select(group => new RestorePart(group.Key, new RestoreOptions
            {
                Target = groups.Length == 1 ? folder : Path.Join(folder, names[versions.ToList().IndexOf(group.Key)]),
                Filter = EntryFilter.Parse(group.Select(entry => $"@{entry.Path}"), [], caseSensitive: true),
                Overwrite = request.Overwrite,
                RestorePermissions = request.Permissions,
                DontCompressRestorePaths = request.FullPaths,
            })),
        ];
    }

    public static RestorePart Drill(Backup backup) => new(backup.Versions[0], new RestoreOptions { VerifyOnly = true });

    public Task<RestorePlan> PlanAsync(Backup backup, CancellationToken cancellationToken) => Options.VerifyOnly
        ? backup.PlanDrillAsync(backup.Versions, Options, null, null, cancellationToken)
        : backup.PlanAsync(Version, Options, null, cancellationToken);

    public PartAnswer Describe(RestorePlan plan, decimal? cost) => new(
        Version.Index,
        Version.Time,
        Options.Target,
        plan.Files,
        plan.Files - plan.FilesUnchanged - plan.FilesReplaced,
        plan.FilesReplaced,
        plan.FilesUnchanged,
        plan.Bytes,
        plan.BytesToWrite,
        plan.BytesToFetch,
        plan.Volumes.Count,
        cost,
        [.. plan.Issues.Take(MaxIssues).Select(issue => $"{issue.Path}: {issue.Reason}")]);
}

internal sealed record RestoreRequest(IReadOnlyList<Pick> Picks, bool Overwrite, bool Permissions, bool FullPaths, bool IsDrill = false);

/// <summary>The id is that of the restore that the page shows; null for any.</summary>
internal sealed record ChangeRequest(int? Id);

/// <summary>An entry of a version; a folder with all that is in it.</summary>
internal sealed record Pick(int Version, int Id);

internal enum JobState
{
    Planned,
    Running,
    Pausing,
    Paused,
    Stopping,
    Stopped,
    Failed,
    Done,
}

/// <summary>The target is null for a drill; the plans are those of each version; the progress is that of the part that runs.</summary>
internal sealed record JobAnswer(
    int Id, JobState State, string? Target, string? Error, IReadOnlyList<PartAnswer> Plan, ProgressAnswer? Progress, ReportAnswer? Report);

internal sealed record PartAnswer(
    int Version, DateTimeOffset Time, string? Target, long Files, long NewFiles, long ReplacedFiles, long KeptFiles, long Bytes, long BytesToWrite,
    long BytesToFetch, int Volumes, decimal? Cost, IReadOnlyList<string> Issues);

internal sealed record ProgressAnswer(
    int Part, RestorePhase Phase, long FilesDone, long FilesTotal, long BytesDone, long BytesTotal, long BytesFetched, long BytesToFetch, double Fraction,
    int OpenRequests, StoreRetry? Retry, double Seconds);

internal sealed record ReportAnswer(
    bool IsComplete, long Files, long Kept, long Bytes, long BytesWritten, long BytesFetched, double Seconds, long IssueCount,
    IReadOnlyList<IssueAnswer> Issues);

/// <summary>Lost has the first lost ranges; WholeIn is the version nearest in time that has the file whole.</summary>
internal sealed record IssueAnswer(
    IssueKind Kind, string Path, string Reason, IReadOnlyList<ByteRange> Lost, long LostRanges, int? WholeIn, int Version);
