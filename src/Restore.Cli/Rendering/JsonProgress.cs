using System.Text.Json;

namespace Restore.Cli.Rendering;

/// <summary>The lines of JSON that a restore or a drill writes.</summary>
internal static class JsonProgress
{
    /// <summary>How far a run is, with the names that restic has.</summary>
    public static void Status(Utf8JsonWriter json, RestoreProgress progress, RateMeter rate, TimeSpan elapsed)
    {
        json.WriteString("message_type", "status");
        json.WriteString("phase", JsonNamingPolicy.CamelCase.ConvertName(progress.Phase.ToString()));
        json.WriteNumber("seconds_elapsed", (long)elapsed.TotalSeconds);
        if (progress.Phase == RestorePhase.Restoring)
        {
            json.WriteNumber("percent_done", progress.BytesTotal > 0 ? Math.Round((double)progress.BytesDone / progress.BytesTotal, 4) : 0);
            json.WriteNumber("total_files", progress.FilesTotal);
            json.WriteNumber("files_restored", progress.FilesDone);
            json.WriteNumber("total_bytes", progress.BytesTotal);
            json.WriteNumber("bytes_restored", progress.BytesDone);
            json.WriteNumber("bytes_fetched", progress.BytesFetched);
            json.WriteNumber("bytes_per_second", (long)rate.BytesPerSecond);
        }
    }

    /// <summary>An entry that was finished.</summary>
    public static void Item(Utf8JsonWriter json, EntryResult result)
    {
        json.WriteString("message_type", "item");
        json.WriteString("action", JsonNamingPolicy.CamelCase.ConvertName(result.Kind.ToString()));
        json.WriteString("item", result.Path);
        json.WriteString("target", result.TargetPath);
        json.WriteNumber("size", result.BytesWritten);
        if (result.Reason is not null)
        {
            json.WriteString("reason", result.Reason);
        }
    }

    /// <summary>The report as the last line of a run.</summary>
    public static void Summary(Utf8JsonWriter json, RestoreReport report)
    {
        json.WriteString("message_type", "summary");
        Json.Report(json, report);
    }
}
