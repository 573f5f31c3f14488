using System.Net.ServerSentEvents;
using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Restore;
using Restore.DependencyInjection;

// POST /restores?target=FOLDER restores the newest version of the backup that the setting Backup names, and answers with its progress as server-sent events.
// curl -N -X POST 'http://localhost:5000/restores?target=/tmp/out'. Put your own authorization in front of it.
WebApplicationBuilder builder = WebApplication.CreateBuilder(args);
string location = builder.Configuration["Backup"] ?? throw new InvalidOperationException("The setting Backup is missing: the folder or URL of the backup");
builder.Services.AddBackup(location, (_, options) => options with { Passphrase = Environment.GetEnvironmentVariable("PASSPHRASE") });
WebApplication app = builder.Build();
app.MapPost("/restores", (string target, BackupSource source, CancellationToken gone) => TypedResults.ServerSentEvents(RestoreAsync(source, target, gone)));
app.Run();

static async IAsyncEnumerable<SseItem<object>> RestoreAsync(BackupSource source, string target, [EnumeratorCancellation] CancellationToken gone)
{
    // The newest progress is enough: a slow client does not hold up the restore.
    Channel<RestoreProgress> progress = Channel.CreateBounded<RestoreProgress>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropOldest });
    Task<RestoreReport> restore = ExecuteAsync(source, target, new Listener(progress.Writer), gone);
    _ = restore.ContinueWith(_ => progress.Writer.TryComplete(), TaskScheduler.Default);
    await foreach (RestoreProgress now in progress.Reader.ReadAllAsync(gone))
    {
        yield return new SseItem<object>(now, "progress");
    }

    RestoreReport report = await restore;
    yield return new SseItem<object>(new { report.IsComplete, report.FilesRestored, report.BytesRestored, Issues = report.Issues.Count }, "report");
}

// A client that goes away stops the restore gracefully: files that are half done are finished, and the next request restores the rest.
static async Task<RestoreReport> ExecuteAsync(BackupSource source, string target, IProgress<RestoreProgress> progress, CancellationToken gone)
{
    // Opened for this request, and not shared (GetAsync): a backup has the versions of the time when it was opened.
    await using Backup backup = await source.OpenAsync(gone);
    RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = target }, new ExecuteOptions { Progress = progress }, gone);
    return await backup.ExecuteAsync(plan, new ExecuteOptions { Progress = progress, StopToken = gone }, CancellationToken.None);
}

/// <summary>Reports come from several threads, and must return at once.</summary>
internal sealed class Listener(ChannelWriter<RestoreProgress> writer) : IProgress<RestoreProgress>
{
    public void Report(RestoreProgress value) => writer.TryWrite(value);
}
