using System.Net.ServerSentEvents;
using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Restore;

// POST /restores?target=FOLDER restores the newest version of the backup that the setting Backup names, and answers with its progress as server-sent events.
// curl -N -X POST 'http://localhost:5000/restores?target=/tmp/out'. Put your own authorization in front of it.
WebApplicationBuilder builder = WebApplication.CreateBuilder(args);
WebApplication app = builder.Build();
string location = app.Configuration["Backup"] ?? throw new InvalidOperationException("The setting Backup is missing: the folder or URL of the backup");
app.MapPost("/restores", (string target, CancellationToken gone) => TypedResults.ServerSentEvents(RestoreAsync(location, target, gone)));
app.Run();

static async IAsyncEnumerable<SseItem<object>> RestoreAsync(string location, string target, [EnumeratorCancellation] CancellationToken gone)
{
    // The newest progress is enough: a slow client does not hold up the restore.
    Channel<RestoreProgress> progress = Channel.CreateBounded<RestoreProgress>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropOldest });
    Task<RestoreReport> restore = ExecuteAsync(location, target, new Listener(progress.Writer), gone);
    _ = restore.ContinueWith(_ => progress.Writer.TryComplete(), TaskScheduler.Default);
    await foreach (RestoreProgress now in progress.Reader.ReadAllAsync(gone))
    {
        yield return new SseItem<object>(now, "progress");
    }

    RestoreReport report = await restore;
    yield return new SseItem<object>(new { report.IsComplete, report.FilesRestored, report.BytesRestored, Issues = report.Issues.Count }, "report");
}

// A client that goes away stops the restore gracefully: files that are half done are finished, and the next request restores the rest.
static async Task<RestoreReport> ExecuteAsync(string location, string target, IProgress<RestoreProgress> progress, CancellationToken gone)
{
    await using Backup backup = await Backup.OpenAsync(location, new BackupOptions { Passphrase = Environment.GetEnvironmentVariable("PASSPHRASE") }, gone);
    RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = target }, new ExecuteOptions { Progress = progress }, gone);
    return await backup.ExecuteAsync(plan, new ExecuteOptions { Progress = progress, StopToken = gone }, CancellationToken.None);
}

/// <summary>Reports come from several threads, and must return at once.</summary>
internal sealed class Listener(ChannelWriter<RestoreProgress> writer) : IProgress<RestoreProgress>
{
    public void Report(RestoreProgress value) => writer.TryWrite(value);
}
