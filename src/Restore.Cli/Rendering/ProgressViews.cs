using System.Text.Json.Nodes;
using System.Text.Json;

namespace Restore.Cli.Rendering;

/// <summary>Shows progress until it is disposed. The restore does not know what it looks like.</summary>
internal interface IProgressView : IProgress<RestoreProgress>, IAsyncDisposable
{
}

/// <summary>Shows nothing.</summary>
internal sealed class QuietProgressView : IProgressView
{
    public void Report(RestoreProgress value)
    {
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}

/// <summary>Progress as lines, one every few seconds: for log files, pipes and terminals that cannot draw.</summary>
internal sealed class PlainProgressView(Messages messages, TimeProvider clock, bool verifyOnly) : IProgressView
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);

    private readonly Lock gate = new();
    private readonly RateMeter rate = new();
    private long lastLine = clock.GetTimestamp();

    public void Report(RestoreProgress value)
    {
        lock (gate)
        {
            rate.Observe(value);
            if (value.Phase == RestorePhase.Done || clock.GetElapsedTime(lastLine) < Interval)
            {
                return;
            }

            lastLine = clock.GetTimestamp();
            messages.WriteLine(ProgressText.Describe(value, rate, verifyOnly));
        }
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}

/// <summary>Progress as lines of JSON on the standard output, with restic's names: a status each second, and items if asked for.</summary>
/// <param name="output">Where the lines go.</param>
/// <param name="clock">The clock.</param>
internal sealed class JsonProgressView(TextWriter output, TimeProvider clock) : IProgressView, IProgress<EntryResult>
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    private readonly Lock gate = new();
    private readonly RateMeter rate = new();
    private readonly long start = clock.GetTimestamp();
    private long lastLine = clock.GetTimestamp();

    public void Report(RestoreProgress value)
    {
        lock (gate)
        {
            rate.Observe(value);
            if (clock.GetElapsedTime(lastLine) < Interval)
            {
                return;
            }

            lastLine = clock.GetTimestamp();
            Json.Write(output, Status(value, clock.GetElapsedTime(start)));
            output.Flush();
        }
    }

    public void Report(EntryResult value)
    {
        lock (gate)
        {
            Json.Write(output, Item(value));
        }
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private static JsonObject Item(EntryResult result) => new JsonObject
    {
        ["message_type"] = "item",
        ["action"] = JsonNamingPolicy.CamelCase.ConvertName(result.Kind.ToString()),
        ["item"] = result.Path,
        ["target"] = result.TargetPath,
        ["size"] = result.BytesWritten,
    }.With(result.Reason is null ? [] : new() { ["reason"] = result.Reason });

    private JsonObject Status(RestoreProgress progress, TimeSpan elapsed)
    {
        var json = new JsonObject
        {
            ["message_type"] = "status",
            ["phase"] = JsonNamingPolicy.CamelCase.ConvertName(progress.Phase.ToString()),
            ["seconds_elapsed"] = (long)elapsed.TotalSeconds,
        };
        return progress.Phase != RestorePhase.Restoring ? json : json.With(new()
        {
            ["percent_done"] = progress.BytesTotal > 0 ? Math.Round((double)progress.BytesDone / progress.BytesTotal, 4) : 0,
            ["total_files"] = progress.FilesTotal,
            ["files_restored"] = progress.FilesDone,
            ["total_bytes"] = progress.BytesTotal,
            ["bytes_restored"] = progress.BytesDone,
            ["bytes_fetched"] = progress.BytesFetched,
            ["bytes_per_second"] = (long)rate.BytesPerSecond,
        });
    }
}
