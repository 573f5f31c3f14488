namespace Restore.Browse.Restoring;

/// <summary>
/// A restore or a drill that the page asked for. A pause holds the run where it is, so nothing is
/// fetched twice.
/// </summary>
internal sealed class RestoreJob(
    BrowseSession session,
    int id,
    string? folder,
    bool createLinks,
    IReadOnlyList<RestorePart> parts
) : IProgress<RestoreProgress>, IAsyncDisposable
{
    private readonly Lock gate = new();
    private readonly List<RestorePlan> plans = [];
    private readonly List<string?> places = [];
    private readonly List<RestoreReport> reports = [];
    private readonly RestorePause pause = new();
    private CancellationTokenSource cancel = new();
    private JobState state = JobState.Planned;
    private IssueSummary? planIssues;
    private string? error;
    private int part;
    private RestoreProgress? progress;
    private ReportAnswer? report;
    private Task run = Task.CompletedTask;

    public int Id => id;

    /// <summary>Where everything goes; null for a drill and for the original places.</summary>
    public string? Folder => folder;

    public bool IsOriginal => parts.Any(one => one.IsOriginal);

    /// <summary>Whether it has not been started yet.</summary>
    public bool IsPlanned
    {
        get
        {
            lock (gate)
            {
                return state == JobState.Planned;
            }
        }
    }

    /// <summary>
    /// Whether the user has seen how it ended: a page that is loaded again does not show it.
    /// </summary>
    public bool IsClosed { get; private set; }

    public IEnumerable<string> Targets => parts.Select(one => one.Target).OfType<string>();

    /// <summary>What was done, once it is; empty before.</summary>
    public IReadOnlyList<RestoreReport> Reports
    {
        get
        {
            lock (gate)
            {
                return state == JobState.Done ? [.. reports] : [];
            }
        }
    }

    /// <summary>What the report says; without one, what the plans say.</summary>
    public IReadOnlyList<(RestoreIssue Issue, BackupVersion Version)> Issues
    {
        get
        {
            lock (gate)
            {
                return report is not null
                    ? [.. reports.SelectMany(one => one.Issues, (one, issue) => (issue, one.Version))]
                    : [.. plans.SelectMany(plan => plan.Issues, (plan, issue) => (issue, plan.Version))];
            }
        }
    }

    public bool IsOver
    {
        get
        {
            lock (gate)
            {
                return state is JobState.Planned or JobState.Stopped or JobState.Failed or JobState.Done;
            }
        }
    }

    /// <exception cref="CallException">The page means another restore.</exception>
    public void Require(int? meant)
    {
        if (meant is int other && other != Id)
        {
            throw new CallException(CallStatus.Conflict, "Another window made another plan since: make the plan again");
        }
    }

    public async Task PlanAsync(CancellationToken cancellationToken)
    {
        List<RestorePlan> made = [];
        foreach (RestorePart one in parts)
        {
            made.Add(await one.PlanAsync(session, cancellationToken).ConfigureAwait(false));
        }

        string?[] placesOfMade = [.. parts.Zip(made, (one, plan) => one.PlaceOf(plan))];
        lock (gate)
        {
            plans.AddRange(made);
            places.AddRange(placesOfMade);
            planIssues = IssueSummary.Of(made.SelectMany(plan => plan.Issues, (plan, issue) => (issue, plan.Version)));
        }
    }

    public JobAnswer Snapshot()
    {
        lock (gate)
        {
            ProgressAnswer? now = progress is RestoreProgress last
                ? new ProgressAnswer(
                    part,
                    last.Phase,
                    last.FilesDone,
                    last.FilesTotal,
                    last.BytesDone,
                    last.BytesTotal,
                    last.BytesFetched,
                    last.BytesToFetch,
                    last.Fraction,
                    last.OpenRequests,
                    last.Retry,
                    last.Elapsed.TotalSeconds
                )
                : null;
            PartAnswer[] plan =
            [
                .. parts.Zip(plans, places).Select(one => one.First.Describe(one.Second, one.Third, session)),
            ];
            bool leavesOutLinks = plans.Exists(its => its is { LeavesOutLinks: true, Symlinks: > 0 });
            return new JobAnswer(
                id,
                state,
                IsOriginal ? "the original places" : folder,
                IsOriginal,
                error,
                plan,
                state == JobState.Planned ? planIssues : null,
                leavesOutLinks,
                createLinks,
                state == JobState.Done ? null : now,
                report
            );
        }
    }

    /// <summary>
    /// Starts the restore, or continues after a pause, also before everything stands still. False if
    /// its state does not allow that.
    /// </summary>
    public bool TryStart()
    {
        lock (gate)
        {
            if (state is not (JobState.Planned or JobState.Pausing or JobState.Paused))
            {
                return false;
            }

            IsClosed = false;
            if (state is JobState.Pausing or JobState.Paused)
            {
                state = JobState.Running;
                pause.End();
                return true;
            }

            cancel.Dispose();
            cancel = CancellationTokenSource.CreateLinkedTokenSource(session.Stopping);
            state = JobState.Running;
            run = Task.Run(RunAsync, CancellationToken.None);
            return true;
        }
    }

    /// <summary>What is on its way is finished before the restore is paused.</summary>
    public bool TryPause()
    {
        lock (gate)
        {
            if (state != JobState.Running)
            {
                return false;
            }

            pause.Begin();
            state = progress is { OpenRequests: > 0 } ? JobState.Pausing : JobState.Paused;
            return true;
        }
    }

    public bool TryStop()
    {
        lock (gate)
        {
            if (state == JobState.Planned)
            {
                state = JobState.Stopped;
                return true;
            }

            if (state is not (JobState.Running or JobState.Pausing or JobState.Paused))
            {
                return false;
            }

            state = JobState.Stopping;
        }

        cancel.Cancel();
        return true;
    }

    public bool TryClose()
    {
        lock (gate)
        {
            return IsClosed =
                state is not (JobState.Running or JobState.Pausing or JobState.Paused or JobState.Stopping);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await run.ConfigureAwait(false);
        cancel.Dispose();
    }

    void IProgress<RestoreProgress>.Report(RestoreProgress value)
    {
        lock (gate)
        {
            progress = value;
            if (state == JobState.Pausing && value.OpenRequests == 0)
            {
                state = JobState.Paused;
            }
        }
    }

    private async Task RunAsync()
    {
        try
        {
            for (int i = 0; i < plans.Count; i++)
            {
                lock (gate)
                {
                    part = i;
                }

                ExecuteOptions options = new() { Progress = this, Pause = pause };
                reports.Add(
                    parts[i].IsDrill
                        ? await session.Backup.ExecuteAsync(plans[i], options, cancel.Token).ConfigureAwait(false)
                        : await session
                            .Targets.RestoreAsync(parts[i], plans[i], options, cancel.Token)
                            .ConfigureAwait(false)
                );
                session.Health.Add(reports[^1]);
            }

            await FindWholeAsync().ConfigureAwait(false);
            End(JobState.Done, null, Describe());
        }
        catch (OperationCanceledException)
        {
            End(JobState.Stopped, null, DescribeKnown());
        }
        catch (Exception failure)
        {
            End(
                JobState.Failed,
                failure is RestoreException or IOException ? failure.Message : $"Unexpected error ({failure.Message})",
                DescribeKnown()
            );
        }
    }

    /// <summary>
    /// Looks for lost files in other versions. Everything is restored by then, so a stop or a
    /// failure leaves the report without them.
    /// </summary>
    private async Task FindWholeAsync()
    {
        try
        {
            for (int i = 0; i < reports.Count; i++)
            {
                RestoreReport one = reports[i];
                if (!one.VerifyOnly && one.Issues.Any(issue => issue.LostRanges.Count > 0))
                {
                    reports[i] = one with
                    {
                        WholeElsewhere = await session.Backup.FindWholeAsync(one, cancel.Token).ConfigureAwait(false),
                    };
                }
            }
        }
        catch (Exception failure) when (failure is OperationCanceledException or RestoreException or IOException)
        {
            // The other versions are a help, and no part of the restore.
        }
    }

    private void End(JobState ended, string? why, ReportAnswer? result)
    {
        lock (gate)
        {
            (state, error, report) = (ended, why, result);
        }
    }

    /// <summary>What was done before an early end; null if no part is done.</summary>
    private ReportAnswer? DescribeKnown() => reports.Count > 0 ? Describe() with { CanSave = false } : null;

    private ReportAnswer Describe()
    {
        Dictionary<string, int> wholeIn = reports
            .SelectMany(one => one.WholeElsewhere)
            .GroupBy(file => file.Path)
            .ToDictionary(files => files.Key, files => files.First().Version.Index);
        return new ReportAnswer(
            reports.Count == 1 ? reports[0].Target : folder,
            reports.Sum(one => one.FilesRestored),
            reports.Sum(one => one.FilesUnchanged),
            reports.Sum(one => one.BytesRestored),
            reports.Sum(one => one.BytesWritten),
            reports.Sum(one => one.BytesFetched),
            reports.Sum(one => one.Elapsed.TotalSeconds),
            IssueSummary.Of(reports.SelectMany(one => one.Issues, (one, issue) => (issue, one.Version)), wholeIn),
            session.Settings.ReportPage is not null,
            folder is not null && session.Settings.CanShowFolder
        );
    }
}
