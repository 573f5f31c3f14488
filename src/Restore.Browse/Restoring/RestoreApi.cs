namespace Restore.Browse.Restoring;

/// <summary>Restores from the page: one at a time.</summary>
internal sealed class RestoreApi(BrowseSession session)
{
    private const int MaxPicks = 10_000;

    public IEnumerable<Route<BrowseCall>> Routes() =>
        [
            new("POST", "api/restore/plan", PlanAsync),
            new("POST", "api/restore/start", call => ChangeAsync(call, Start, "It runs already, or is over")),
            new("POST", "api/restore/pause", call => ChangeAsync(call, (job, _) => job.TryPause(), "It does not run")),
            new("POST", "api/restore/stop", call => ChangeAsync(call, (job, _) => job.TryStop(), "It is over")),
            new("POST", "api/restore/close", call => ChangeAsync(call, (job, _) => job.TryClose(), "It runs")),
            new(
                "GET",
                "api/restore",
                call =>
                    call.WriteAsync(
                        session.Job is { IsClosed: false } job ? job.Snapshot() : null,
                        WebJson.Default.JobAnswer!
                    )
            ),
            new("GET", "api/restore/issues", WriteIssuesAsync),
        ];

    private async Task PlanAsync(BrowseCall call)
    {
        RestoreRequest request = await call.ReadAsync(WebJson.Default.RestoreRequest).ConfigureAwait(false);
        if (request.IsOriginal && !session.Targets.HasOriginalPlaces)
        {
            throw new CallException(
                CallStatus.Conflict,
                "The page may not write to the original places: start it again with --allow-original-places"
            );
        }

        string? folder = request.IsDrill || request.IsOriginal ? null : session.Targets.Resolve(request.Folder);
        if (request.IsLastGood && !session.Targets.CanTakeLastGood)
        {
            throw new CallException(
                CallStatus.Conflict,
                "A browser restores from one version at a time; the program restore takes the last good content of each file"
            );
        }

        if (request is { IsDrill: false, IsLastGood: false } && request.Picks is not { Count: > 0 and <= MaxPicks })
        {
            throw new CallException(
                CallStatus.BadRequest,
                $"Pick 1 to {MaxPicks} files and folders; a folder counts as one"
            );
        }

        await session.Planning.WaitAsync(call.Aborted).ConfigureAwait(false);
        try
        {
            if (session.Job is { IsOver: false })
            {
                throw new CallException(
                    CallStatus.Conflict,
                    "Another restore runs, perhaps from another window: wait for its end, or stop it"
                );
            }

            RestoreJob job = new(
                session,
                (session.Job?.Id ?? 0) + 1,
                folder,
                request.CreateLinks,
                request.IsDrill ? [RestorePart.Drill(session.Backup)]
                    : request.IsLastGood ? [RestorePart.LastGood(request, session)]
                    : await DivideAsync(request, call.Aborted).ConfigureAwait(false)
            );
            await job.PlanAsync(call.Aborted).ConfigureAwait(false);
            if (session.Job is not null)
            {
                await session.Job.DisposeAsync().ConfigureAwait(false);
            }

            session.Job = job;
            await WriteAsync(call, job).ConfigureAwait(false);
        }
        finally
        {
            session.Planning.Release();
        }
    }

    private async Task<IReadOnlyList<RestorePart>> DivideAsync(
        RestoreRequest request,
        CancellationToken cancellationToken
    )
    {
        List<ServedEntry> entries = [];
        foreach (Pick? pick in request.Picks)
        {
            entries.Add(
                await FindAsync(
                        pick ?? throw new CallException(CallStatus.BadRequest, "A pick is missing"),
                        cancellationToken
                    )
                    .ConfigureAwait(false)
            );
        }

        return RestorePart.Divide(entries, request, session);
    }

    private async Task<ServedEntry> FindAsync(Pick pick, CancellationToken cancellationToken)
    {
        BackupVersion version =
            session.Backup.Versions.FirstOrDefault(version => version.Index == pick.Version)
            ?? throw new CallException(CallStatus.NotFound, $"There is no version {pick.Version}");
        await session.Lists.ReadAsync(version, cancellationToken).ConfigureAwait(false);
        return ServedEntry.Find(session, version, new TreeId(pick.Id))
            ?? throw new CallException(CallStatus.NotFound, $"Version {version.Index} has no such entry");
    }

    /// <summary>All entries of a group of issues. The report has only the first ones.</summary>
    private Task WriteIssuesAsync(BrowseCall call)
    {
        if (
            !Enum.TryParse(call.ValueOf("severity"), out Severity severity)
            || !Enum.TryParse(call.ValueOf("kind"), out IssueKind kind)
        )
        {
            throw new CallException(CallStatus.BadRequest, "There are no issues of that kind");
        }

        return call.WriteAsync(
            IssueSummary.EntriesOf(JobOf().Issues, severity, kind, call.ValueOf("folder")),
            WebJson.Default.IReadOnlyListIssueAnswer
        );
    }

    /// <summary>Looks at the folders again: a link may be there since the plan was made.</summary>
    private bool Start(RestoreJob job, ChangeRequest request)
    {
        if (job is { IsOriginal: true, IsPlanned: true } && !request.IsConfirmed)
        {
            throw new CallException(
                CallStatus.Conflict,
                "Entries would go to their original places: that must be confirmed"
            );
        }

        foreach (string target in job.Targets)
        {
            session.Targets.LookAgain(target);
        }

        return job.TryStart();
    }

    private RestoreJob JobOf() =>
        session.Job ?? throw new CallException(CallStatus.NotFound, "There is no restore: make a plan first");

    private async Task ChangeAsync(BrowseCall call, Func<RestoreJob, ChangeRequest, bool> change, string refusal)
    {
        ChangeRequest request = await call.ReadAsync(WebJson.Default.ChangeRequest).ConfigureAwait(false);
        RestoreJob job = JobOf();
        job.Require(request.Id);
        if (!change(job, request))
        {
            throw new CallException(CallStatus.Conflict, $"The restore cannot do that now: {refusal}");
        }

        await WriteAsync(call, job).ConfigureAwait(false);
    }

    private static Task WriteAsync(BrowseCall call, RestoreJob job) =>
        call.WriteAsync(job.Snapshot(), WebJson.Default.JobAnswer);
}
