namespace Restore.Cli.Commands;

internal static class BackupText
{
    public const string NoFile =
        "No file was taken: a source is empty or not mounted, or the filters leave every file out";

    // Below it, no stage is what the others wait for.
    private const double MostlyBusy = 0.5;

    public static void Write(
        TextWriter output,
        BackupWriterReport report,
        bool isDryRun,
        ReportSize size,
        CompanionFileState? restorer
    )
    {
        output.WriteLine(Title(report, isDryRun));
        output.WriteLine(
            $"  Files     {Units.Number(report.Files)} ({Units.Bytes(report.Bytes)}), "
                + $"of these {Units.Number(report.UnchangedFiles)} not read again; "
                + $"{Units.Count(report.Folders, "folder")}, {Units.Count(report.Symlinks, "link")}; {Units.Number(report.LeftOut)} left out"
        );
        output.WriteLine(
            $"  New       {Units.Count(report.NewBlocks, "block")} ({Units.Bytes(report.NewBlockBytes)}) of {Units.Bytes(report.BytesRead)} read"
        );
        output.WriteLine(
            $"  {(isDryRun ? "To write " : "Written  ")} {Units.Bytes(report.BytesWritten)} in "
                + $"{Units.Count(report.BlockVolumes, "block volume")}, {Units.Duration(report.Elapsed)}"
        );
        if (report.UnstoredModeBits is { } bits)
        {
            output.WriteLine(
                $"  Modes     setuid, setgid and sticky of {Units.Count(bits.Files, "file")} and {Units.Count(bits.Folders, "folder")} "
                    + $"are not stored, as in Duplicati: {string.Join(", ", bits.First.Select(path => SafeText.Escape(path)))}"
                    + (bits.Files + bits.Folders > bits.First.Count ? ", ..." : "")
            );
        }

        var isMeasured = !isDryRun && !report.NothingChanged;
        foreach (var stage in report.Stages.Where(stage => isMeasured && size == ReportSize.All && stage.Bytes > 0))
        {
            output.WriteLine(
                $"  {stage.Stage, -9} {Units.Bytes(stage.Bytes)} at {Units.Rate(stage.Bytes, stage.Working / stage.Copies)}; "
                    + $"{Units.Count(stage.Copies, "copy", "copies")}, working {Units.Percent(stage.Busy, 1)} of the time"
            );
        }

        if (isMeasured && size == ReportSize.All && Limit(report) is { } limit)
        {
            output.WriteLine($"  Limit     {limit}");
        }

        if (restorer is { } state)
        {
            output.WriteLine($"  Restorer  {Restorer.Describe(state)}");
        }

        if (report.IsPartial)
        {
            output.WriteLine(
                "  Partial   the backup was stopped: the version has what was read until then, and retention does not count it"
            );
        }

        if (report.HasNoFile)
        {
            output.WriteLine(
                $"  Empty     {char.ToLowerInvariant(NoFile[0])}{NoFile[1..]}"
                    + (report.FileListName is null ? "" : ". Retention does not count this version")
            );
        }

        var sound =
            report.HasNoFile || report.IsPartial ? null
            : isDryRun ? "everything could be read"
            : "everything is in the backup";
        IssueText.Write(output, report.Issues, size, sound, "what a source that is a link leads to");
    }

    public static JsonObject JsonOf(
        BackupWriterReport report,
        bool isDryRun,
        CompanionFileState? restorer,
        IEnumerable<SourceDecision>? decisions
    ) =>
        Json.Outcome(ExitCodes.Of(report))
            .With(new() { ["dryRun"] = isDryRun })
            .With(Json.Of(report))
            .With(
                new()
                {
                    ["limit"] = Limit(report),
                    ["restorer"] = restorer is { } state ? Restorer.WordOf(state) : null,
                }
            )
            .With(decisions is null ? [] : new() { ["entries"] = Json.Array(decisions, DecisionText.JsonOf) });

    private static string Title(BackupWriterReport report, bool isDryRun) =>
        report.NothingChanged
            ? "Nothing has changed since the newest version, so no version was written (--upload-unchanged-backups writes one)"
        : report.HasNoFile && report.FileListName is null && !isDryRun ? "No file was taken, so no version was made"
        : isDryRun ? "Dry run: nothing is written"
        : report.IsPartial
            ? $"Made the partial version {ReportJson.Time(report.Time)}: {SafeText.Escape(report.FileListName ?? "")}"
        : $"Made the version {ReportJson.Time(report.Time)}: {SafeText.Escape(report.FileListName ?? "")}";

    /// <summary>
    /// Which stage the others wait for, and what would help; null if nothing was measured.
    /// </summary>
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

    private static string Verb(BackupStage stage) =>
        stage switch
        {
            BackupStage.Read => "reading files",
            BackupStage.Hash => "hashing",
            BackupStage.Compress => "compressing",
            BackupStage.Encrypt => "encrypting",
            _ => "writing to the store",
        };

    private static string Help(BackupStage stage) =>
        stage switch
        {
            BackupStage.Read => "more --concurrency-fileprocessors if the disk is fast, fewer if it is a hard disk",
            BackupStage.Hash => "more --concurrency-fileprocessors, if there are idle cores",
            BackupStage.Compress =>
                "a lower --zip-compression-level, or more --concurrency-compressors if there are idle cores",
            BackupStage.Encrypt => "only faster cores help",
            _ =>
                "for a folder a faster disk, for a server a higher --asynchronous-upload-limit if the network has room; and no --throttle-upload",
        };
}
