using System.Text.Json;
using Restore.Web.Files;

namespace Restore.Web.Restoring;

/// <summary>Restores from the page: one at a time, to the folder given at the start of the server or one below it.</summary>
internal sealed class RestoreApi(BrowseSession session, TargetFolders targets)
{
    private const int MaxPicks = 10_000;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(300);

    public IEnumerable<Route> Routes() =>
    [
        new("POST", "api/restore/plan", PlanAsync),
        new("POST", "api/restore/start", context => ChangeAsync(context, Start, "It runs already, or is over")),
        new("POST", "api/restore/pause", context => ChangeAsync(context, job => job.TryPause(), "It does not run")),
        new("POST", "api/restore/stop", context => ChangeAsync(context, job => job.TryStop(), "It is over")),
        new("POST", "api/restore/close", context => ChangeAsync(context, job => job.TryClose(), "It runs")),
        new("GET", "api/restore", context => Answer.WriteAsync(
            context, session.Job is { IsClosed: false } job ? job.Snapshot() : null, WebJson.Default.JobAnswer!)),
        new("GET", "api/restore/events", SendEventsAsync),
        new("GET", "report", SendReportAsync),
    ];

    private async Task PlanAsync(HttpContext context)
    {
        RestoreRequest request = await Answer.ReadAsync(context, WebJson.Default.RestoreRequest).ConfigureAwait(false);
        string? folder = request.IsDrill ? null : targets.Resolve(request.Folder);
        if (!request.IsDrill && request.Picks is not { Count: > 0 and <= MaxPicks })
        {
            throw new RequestException(StatusCodes.Status400BadRequest, $"Pick 1 to {MaxPicks} files and folders; a folder counts as one");
        }

        await session.Planning.WaitAsync(context.RequestAborted).ConfigureAwait(false);
        try
        {
            if (session.Job is { IsOver: false })
            {
                throw new RequestException(
                    StatusCodes.Status409Conflict, "Another restore runs, perhaps from another window: wait for its end, or stop it");
            }

            RestoreJob job = new(
                session,
                (session.Job?.Id ?? 0) + 1,
                folder,
                request.CreateLinks,
                folder is null ? [RestorePart.Drill(session.Backup)] : await DivideAsync(request, context.RequestAborted).ConfigureAwait(false));
            await job.PlanAsync(context.RequestAborted).ConfigureAwait(false);
            if (session.Job is not null)
            {
                await session.Job.DisposeAsync().ConfigureAwait(false);
            }

            session.Job = job;
            await WriteAsync(context, job).ConfigureAwait(false);
        }
        finally
        {
            session.Planning.Release();
        }
    }

    private async Task<IReadOnlyList<RestorePart>> DivideAsync(RestoreRequest request, CancellationToken cancellationToken)
    {
        List<ServedEntry> entries = [];
        foreach (Pick pick in request.Picks)
        {
            entries.Add(await FindAsync(pick, cancellationToken).ConfigureAwait(false));
        }

        return RestorePart.Divide(entries, request, targets, session.Names, session.Backup.Versions);
    }

    private async Task<ServedEntry> FindAsync(Pick pick, CancellationToken cancellationToken)
    {
        BackupVersion version = session.Backup.Versions.FirstOrDefault(version => version.Index == pick.Version)
            ?? throw new RequestException(StatusCodes.Status404NotFound, $"There is no version {pick.Version}");
        await session.Lists.ReadAsync(version, cancellationToken).ConfigureAwait(false);
        return ServedEntry.Find(session, version, new TreeId(pick.Id))
            ?? throw new RequestException(StatusCodes.Status404NotFound, $"Version {version.Index} has no such entry");
    }

    /// <summary>Looks at the folders again: a link may be there since the plan was made.</summary>
    private bool Start(RestoreJob job)
    {
        foreach (string target in job.Targets)
        {
            targets.Resolve(Path.GetRelativePath(session.Options.RestoreFolder!, target) is var relative and not "." ? relative : "");
        }

        return job.TryStart();
    }

    /// <summary>The report as a page, to be kept.</summary>
    private async Task SendReportAsync(HttpContext context)
    {
        RestoreJob job = JobOf();
        if (session.Options.ReportPage is not { } write || job.Reports is not { Count: > 0 } reports)
        {
            throw new RequestException(StatusCodes.Status409Conflict, "There is no report yet");
        }

        using StringWriter page = new() { NewLine = "\n" };
        write(page, reports);
        string time = session.Options.TimeProvider.GetLocalNow().ToString("yyyy-MM-dd-HHmm", CultureInfo.InvariantCulture);
        FileAnswer.SetDownload(context.Response, $"restore-report-{time}.html");
        context.Response.ContentType = "application/octet-stream";
        await context.Response.WriteAsync(page.ToString(), context.RequestAborted).ConfigureAwait(false);
    }

    private RestoreJob JobOf() => session.Job ?? throw new RequestException(StatusCodes.Status404NotFound, "There is no restore: make a plan first");

    private async Task ChangeAsync(HttpContext context, Func<RestoreJob, bool> change, string refusal)
    {
        ChangeRequest request = await Answer.ReadAsync(context, WebJson.Default.ChangeRequest).ConfigureAwait(false);
        RestoreJob job = JobOf();
        if (request.Id is int id && id != job.Id)
        {
            throw new RequestException(StatusCodes.Status409Conflict, "Another window made another plan since: make the plan again");
        }

        if (!change(job))
        {
            throw new RequestException(StatusCodes.Status409Conflict, $"The restore cannot do that now: {refusal}");
        }

        await WriteAsync(context, job).ConfigureAwait(false);
    }

    /// <summary>Sends the state as events (SSE) until nothing runs.</summary>
    private async Task SendEventsAsync(HttpContext context)
    {
        RestoreJob job = JobOf();
        context.Response.ContentType = "text/event-stream";
        string last = "";
        for (bool isOver = false; !isOver;)
        {
            // Asked before the state is taken, so that the last state is sent.
            isOver = job.IsOver;
            string state = JsonSerializer.Serialize(job.Snapshot(), WebJson.Default.JobAnswer);
            if (state != last)
            {
                await context.Response.WriteAsync($"data: {state}\n\n", context.RequestAborted).ConfigureAwait(false);
                await context.Response.Body.FlushAsync(context.RequestAborted).ConfigureAwait(false);
                last = state;
            }

            if (!isOver)
            {
                await Task.Delay(Pause, session.Options.TimeProvider, context.RequestAborted).ConfigureAwait(false);
            }
        }

        await context.Response.WriteAsync("event: end\ndata: \n\n", context.RequestAborted).ConfigureAwait(false);
    }

    private static Task WriteAsync(HttpContext context, RestoreJob job) => Answer.WriteAsync(context, job.Snapshot(), WebJson.Default.JobAnswer);
}
