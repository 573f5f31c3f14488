using System.Text.Json.Nodes;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

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

    public static JsonObject JsonOf(BackupWriterReport report, bool isDryRun) => Json.Outcome(ExitCodes.OfLosses(report.Issues))
        .With(new() { ["dryRun"] = isDryRun }).With(Json.Of(report)).With(new() { ["limit"] = Limit(report) });

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

/// <summary>The progress of a backup: a line that is redrawn in place, or one every few seconds where that cannot be done.</summary>
internal sealed class BackupProgressView(CommandContext context) : IProgress<BackupWriterProgress>, IAsyncDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);

    private readonly Lock gate = new();
    private readonly TextWriter error = context.Environment.Error;
    private long lastLine = context.Environment.Clock.GetTimestamp();
    private int drawn;

    public void Report(BackupWriterProgress value)
    {
        if (context.Request.Quiet)
        {
            return;
        }

        lock (gate)
        {
            if (context.Environment.CanDraw)
            {
                Draw(Describe(value));
            }
            else if (context.Environment.Clock.GetElapsedTime(lastLine) >= Interval)
            {
                lastLine = context.Environment.Clock.GetTimestamp();
                context.Messages.WriteLine(Describe(value));
            }
        }
    }

    public ValueTask DisposeAsync()
    {
        lock (gate)
        {
            Draw("");
        }

        return ValueTask.CompletedTask;
    }

    private static string Describe(BackupWriterProgress value) =>
        $"{Units.Count(value.FilesDone, "file")} ({Units.Bytes(value.BytesDone)}), read {Units.Bytes(value.BytesRead)}, "
        + $"written {Units.Bytes(value.BytesWritten)} in {Units.Count(value.VolumesWritten, "volume")}, {Units.Duration(value.Elapsed)}";

    private void Draw(string line)
    {
        if (drawn > 0 || line.Length > 0)
        {
            error.Write($"\r{line.PadRight(drawn)}{(line.Length == 0 ? "\r" : "")}");
            drawn = line.Length;
        }
    }
}
