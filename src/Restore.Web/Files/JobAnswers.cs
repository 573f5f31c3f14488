using System.Text.Json;
using Restore.Browse.Restoring;

namespace Restore.Web.Files;

/// <summary>
/// What only a server can send about a restore: its states as they change, and its report as a
/// file.
/// </summary>
internal sealed class JobAnswers(BrowseSession session, TimeProvider clock)
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(300);

    public IEnumerable<Route<HttpContext>> Routes() =>
        [new("GET", "api/restore/events", SendEventsAsync), new("GET", "report", SendReportAsync)];

    private RestoreJob JobOf() =>
        session.Job ?? throw new CallException(CallStatus.NotFound, "There is no restore: make a plan first");

    /// <summary>The report as a page, to be kept.</summary>
    private async Task SendReportAsync(HttpContext context)
    {
        RestoreJob job = JobOf();
        if (session.Settings.ReportPage is not { } write || job.Reports is not { Count: > 0 } reports)
        {
            throw new CallException(CallStatus.Conflict, "There is no report yet");
        }

        using StringWriter page = new() { NewLine = "\n" };
        write(page, reports);
        string time = clock.GetLocalNow().ToString("yyyy-MM-dd-HHmm", CultureInfo.InvariantCulture);
        FileAnswer.SetDownload(context.Response, $"restore-report-{time}.html");
        context.Response.ContentType = "application/octet-stream";
        await context.Response.WriteAsync(page.ToString(), context.RequestAborted).ConfigureAwait(false);
    }

    /// <summary>Sends the state as events (SSE) until nothing runs.</summary>
    private async Task SendEventsAsync(HttpContext context)
    {
        RestoreJob job = JobOf();
        context.Response.ContentType = "text/event-stream";
        string last = "";
        for (bool isOver = false; !isOver; )
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
                await Task.Delay(Pause, clock, context.RequestAborted).ConfigureAwait(false);
            }
        }

        await context.Response.WriteAsync("event: end\ndata: \n\n", context.RequestAborted).ConfigureAwait(false);
    }
}
