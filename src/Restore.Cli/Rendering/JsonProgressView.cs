using System.Text.Json;

namespace Restore.Cli.Rendering;

/// <summary>
/// Progress as lines of JSON on the standard output, a status each second, and items if requested.
/// </summary>
internal sealed class JsonProgressView(TextWriter output, TimeProvider clock)
    : WatchingView(clock, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1.5)),
        IProgress<EntryResult>
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    private readonly TimeProvider clock = clock;
    private long lastLine = clock.GetTimestamp();

    public void Report(EntryResult value)
    {
        // Several processes report entries, and the timer reports states: each line must be whole.
        lock (Gate)
        {
            Json.Write(output, Item(value));
        }
    }

    protected override void Show(RestoreProgress value)
    {
        if (clock.GetElapsedTime(lastLine) >= Interval)
        {
            lastLine = clock.GetTimestamp();
            Json.Write(output, Status(value, clock.GetElapsedTime(Started)));
            output.Flush();
        }
    }

    private static JsonObject Item(EntryResult result) =>
        new JsonObject
        {
            ["messageType"] = "item",
            ["action"] = JsonNamingPolicy.CamelCase.ConvertName(result.Kind.ToString()),
            ["item"] = result.Path,
            ["target"] = result.TargetPath,
            ["size"] = result.BytesWritten,
        }.With(result.Reason is null ? [] : new() { ["reason"] = result.Reason });

    private JsonObject Status(RestoreProgress progress, TimeSpan elapsed)
    {
        var json = new JsonObject
        {
            ["messageType"] = "status",
            ["phase"] = JsonNamingPolicy.CamelCase.ConvertName(progress.Phase.ToString()),
            ["secondsElapsed"] = (long)elapsed.TotalSeconds,
        };
        if (progress.Retry is { } retry)
        {
            json["waiting"] = new JsonObject
            {
                ["location"] = retry.Location,
                ["attempt"] = retry.Attempt,
                ["attempts"] = retry.Attempts,
                ["reason"] = retry.Reason,
            };
        }

        if (progress.CurrentPath is { } path)
        {
            json["currentFile"] = path;
        }

        return progress.Phase != RestorePhase.Restoring
            ? json
            : json.With(
                    new()
                    {
                        ["percentDone"] = Math.Round(progress.Fraction, 4),
                        ["totalFiles"] = progress.FilesTotal,
                        ["filesRestored"] = progress.FilesDone,
                        ["totalBytes"] = progress.BytesTotal,
                        ["bytesRestored"] = progress.BytesDone,
                        ["bytesToFetch"] = progress.BytesToFetch,
                        ["bytesFetched"] = progress.BytesFetched,
                        ["bytesPerSecond"] = (long)Rate.BytesPerSecond,
                    }
                )
                .With(Rate.Left is { } left ? new() { ["secondsRemaining"] = (long)left.TotalSeconds } : []);
    }
}
