using System.Text.Json;

namespace Restore.Cli.Rendering;

/// <summary>The report about a backup that was made.</summary>
internal static class BackupText
{
    // Below it, no stage is what the others wait for.
    private const double MostlyBusy = 0.5;

    public static void Write(TextWriter output, BackupWriterReport report, bool isDryRun, bool all)
    {
        output.WriteLine(Title(report, isDryRun));
        output.WriteLine($"  Files     {Units.Number(report.Files)} ({Units.Bytes(report.Bytes)}), "
            + $"of these {Units.Number(report.UnchangedFiles)} not read again; "
            + $"{Units.Count(report.Folders, "folder")}, {Units.Count(report.Symlinks, "link")}; {Units.Number(report.LeftOut)} left out");
        output.WriteLine($"  New       {Units.Count(report.NewBlocks, "block")} ({Units.Bytes(report.NewBlockBytes)}) of {Units.Bytes(report.BytesRead)} read");
        output.WriteLine($"  {(isDryRun ? "To write " : "Written  ")} {Units.Bytes(report.BytesWritten)} in "
            + $"{Units.Count(report.BlockVolumes, "block volume")}, {Units.Duration(report.Elapsed)}");
        foreach (var stage in report.Stages.Where(stage => stage.Bytes > 0))
        {
            output.WriteLine($"  {stage.Stage,-9} {Units.Bytes(stage.Bytes)} at {Units.Rate(stage.Bytes, stage.Working / stage.Copies)}; "
                + $"{Units.Count(stage.Copies, "copy", "copies")}, working {Units.Percent(stage.Busy, 1)} of the time");
        }

        if (Limit(report) is { } limit)
        {
            output.WriteLine($"  Limit     {limit}");
        }

        IssueText.Write(output, report.Issues, all, "everything is in the backup");
    }

    public static void Write(Utf8JsonWriter json, BackupWriterReport report, bool isDryRun)
    {
        Json.Outcome(json, ExitCodes.OfLosses(report.Issues));
        json.WriteBoolean("dryRun", isDryRun);
        json.WriteBoolean("nothingChanged", report.NothingChanged);
        json.WriteString("time", Json.Time(report.Time));
        json.WriteString("fileList", report.FileListName);
        json.WriteString("prefix", report.Prefix);
        json.WriteNumber("files", report.Files);
        json.WriteNumber("unchangedFiles", report.UnchangedFiles);
        json.WriteNumber("folders", report.Folders);
        json.WriteNumber("links", report.Symlinks);
        json.WriteNumber("leftOut", report.LeftOut);
        json.WriteNumber("bytes", report.Bytes);
        json.WriteNumber("bytesRead", report.BytesRead);
        json.WriteNumber("newBlocks", report.NewBlocks);
        json.WriteNumber("newBlockBytes", report.NewBlockBytes);
        json.WriteNumber("blockVolumes", report.BlockVolumes);
        json.WriteNumber("bytesWritten", report.BytesWritten);
        Json.Seconds(json, "seconds", report.Elapsed);
        json.WriteStartArray("stages");
        foreach (var stage in report.Stages)
        {
            json.WriteStartObject();
            json.WriteString("stage", JsonNamingPolicy.CamelCase.ConvertName($"{stage.Stage}"));
            json.WriteNumber("copies", stage.Copies);
            json.WriteNumber("bytes", stage.Bytes);
            Json.Seconds(json, "secondsWorking", stage.Working);
            Json.Seconds(json, "secondsWaiting", stage.Waiting);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteString("limit", Limit(report));
        Json.Issues(json, report.Issues);
    }

    private static string Title(BackupWriterReport report, bool isDryRun) =>
        report.NothingChanged ? "Nothing has changed since the newest version, so no version was written (--upload-unchanged-backups writes one)"
        : isDryRun ? "Dry run: nothing is written"
        : $"Made the version {Json.Time(report.Time)}: {SafeText.Escape(report.FileListName ?? "")}";

    /// <summary>Which stage the others wait for, and what would help; null if nothing was measured.</summary>
    private static string? Limit(BackupWriterReport report)
    {
        if (report.Limit is not { } stage)
        {
            return null;
        }

        var busy = Units.Percent(stage.Busy, 1);
        return stage.Busy < MostlyBusy
            ? $"no stage: the busiest, {Verb(stage.Stage)}, works {busy} of the time"
            : $"{Verb(stage.Stage)}, which works {busy} of the time: {Help(stage.Stage)}";
    }

    private static string Verb(BackupStage stage) => stage switch
    {
        BackupStage.Read => "reading files",
        BackupStage.Hash => "hashing",
        BackupStage.Compress => "compressing",
        BackupStage.Encrypt => "encrypting",
        _ => "writing to the store",
    };

    private static string Help(BackupStage stage) => stage switch
    {
        BackupStage.Read => "more --concurrency-fileprocessors if the disk is fast, fewer if it is a hard disk",
        BackupStage.Hash => "more --concurrency-fileprocessors, if there are idle cores",
        BackupStage.Compress => "a lower --zip-compression-level, or more --concurrency-compressors if there are idle cores",
        BackupStage.Encrypt => "only faster cores help",
        _ => "a higher --asynchronous-upload-limit, if the network has room, and no --throttle-upload",
    };
}
