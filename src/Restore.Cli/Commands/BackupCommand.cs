namespace Restore.Cli.Commands;

internal sealed class BackupCommand(SharedOptions shared, OptionGroup source) : ICliCommand
{
    private static readonly Option<bool> WithRestorer = Declare.Flag(
        "--with-restorer", "Put restore.html beside the volumes too: it restores in a browser. One that is the same stays, another one is replaced");

    private static readonly Option<bool> SkipsAssessment = Declare.Flag(
        "--skip-assessment",
        "Do not compare the new version with the versions before it, which reads up to 12 file lists; without it, a suspect one is code 19");

    private readonly OptionGroup making = MakingOptions.Making(shared, WithRestorer);
    private readonly QuotaOptions quota = new();
    private readonly List<SourceDecision> decisions = [];

    public string Name => "backup";

    public string Summary => "make a backup that Duplicati reads too";

    public IReadOnlyList<Operand> Operands => [Operand.Sources, Operand.Destination];

    public IReadOnlyList<OptionGroup> Options =>
    [
        source, making, new("Making the backup", [.. quota.Options, SkipsAssessment]) { IsFromJob = true }, shared.DryRunAlone,
        shared.Access, shared.Scripts.Group, shared.Output, shared.NightlyReport, shared.Program,
    ];

    public IReadOnlyList<string> Examples =>
    [
        "restore backup /home/ann /mnt/backup --passphrase-file=/root/secret",
        "restore backup /home/ann/photos /mnt/open-backup --no-encryption --exclude='*.tmp' --dry-run",
    ];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context)
    {
        IReadOnlyList<string> given = context.Request.Operands;
        var ofJob = context.Request.Storage;
        if (ofJob.Length == 0 && given.Count < 2)
        {
            throw new UsageException("Name what to back up, and after it where the backup is: a folder or a storage URL, or a job with --job");
        }

        context = context with { Request = context.Request with { LocalDatabase = context.Request.Backup.DatabasePath } };
        var sources = BackupSources.Of(context, ofJob.Length > 0 ? given : [.. given.SkipLast(1)]);
        var place = ofJob.Length > 0 ? ofJob : given[^1];
        RequireOrder(sources, place);
        var restorer = context.Line.Value(WithRestorer) ? Restorer.Of(context.Environment) : null;
        var options = OptionsOf(context, sources, place);
        return UnattendedRun.RunAsync(context, place, unattended => OperationScripts.RunAsync(
            unattended, shared.Scripts, place, sources, () => PassphrasePrompt.RunAsync(
                options.Passphrase, unattended.Environment.AskSecret, unattended.Messages, async passphrase =>
                {
                    unattended.Secrets.Add(passphrase);
                    return await RunAsync(unattended, options with { Passphrase = passphrase }, restorer);
                })));
    }

    private async Task<int> RunAsync(CommandContext context, BackupWriterOptions options, Restorer? restorer)
    {
        var lists = options.Decisions is not null;
        LocalDatabase.RequireWritable(context);
        WarnOfVersionsToKeep(context);
        await RequireDatabaseAsync(context, options);
        BackupWriterReport report;
        await using (var view = new BackupProgressView(context))
        await using (context.Environment.StopToken.Register(
            () => context.Messages.WriteLine("Stopping: what is read already becomes a partial version; another interruption ends without a version")))
        {
            var stoppable = options with { Progress = view, StopToken = context.Environment.StopToken };
            report = await new BackupWriter(stoppable).WriteAsync(context.Environment.CancellationToken);
        }

        Warn(context, report);
        if (report.IsPartial)
        {
            // The version is made, and what belongs to it is done too; only a second interruption ends that.
            context = context with
            {
                Line = context.Line with { Environment = context.Environment with { StopToken = context.Environment.CancellationToken } },
            };
        }

        if (quota.WarningOf(context.Line, options.Destination, report.StoredBytes) is { } warning)
        {
            report = report with { Issues = [.. report.Issues, warning] };
        }

        var suspicion = await NewVersionAssessment.OfAsync(
            context, report, context.Line.Value(SkipsAssessment), token => OpenAsync(context, options, report.Prefix, token));
        var beside = restorer is null || options.DryRun ? null : await PutAsync(context, restorer, options.Destination);
        context.Write(
            () => BackupText.JsonOf(report, options.DryRun, beside, lists ? decisions : null).With(NewVersionAssessment.JsonOf(report, suspicion)),
            output => BackupText.Write(output, report, options.DryRun, context.ReportSize, beside));

        var code = NewVersionAssessment.CodeOf(report, suspicion);
        var isThere = !report.HasNoFile || report.NothingChanged || report.FileListName is not null;
        return isThere
            ? await LocalDatabase.UpdateAsync(context, token => OpenAsync(context, options, report.Prefix, token), code)
            : code;
    }

    /// <summary>A nightly job need not keep the report, so what a user must know goes to the standard error too.</summary>
    private static void Warn(CommandContext context, BackupWriterReport report)
    {
        foreach (var link in report.Issues.Where(issue => issue.Kind == IssueKind.LeftOut))
        {
            context.Messages.WriteLine($"Warning: {SafeText.Escape(link.Path)}: {link.Reason}");
        }

        if (report.IsPartial)
        {
            context.Messages.WriteLine(
                "Warning: The backup was stopped, so the version is partial: the same command makes a whole one, and stores nothing twice");
        }

        if (report.HasNoFile)
        {
            context.Messages.WriteLine($"Warning: {BackupText.NoFile}");
        }
    }

    /// <summary>A backup of Duplicati deletes old versions by these options.</summary>
    private static void WarnOfVersionsToKeep(CommandContext context)
    {
        string[] given = [.. context.Line.WithoutEffect.Intersect(["--keep-versions", "--keep-time", "--retention-policy"])];
        if (given.Length > 0 && !context.Request.Quiet)
        {
            context.Messages.WriteLine($"Old versions stay: 'restore delete' with {string.Join(", ", given)} removes them after the backup");
        }
    }

    /// <summary>The version is made: that its restorer cannot be put there is a warning.</summary>
    private static async Task<CompanionFileState?> PutAsync(CommandContext context, Restorer restorer, string destination)
    {
        try
        {
            return await restorer.PutAsync(context, destination, context.Request.Backup);
        }
        catch (RestoreException failure)
        {
            context.Messages.WriteLine($"Warning: --with-restorer: {Restorer.FileName} is not as it should be there: {failure.Message}");
            return null;
        }
    }

    /// <summary>The backup that is at the destination already is that of the database; without a backup there must be no database.</summary>
    private static async Task RequireDatabaseAsync(CommandContext context, BackupWriterOptions options)
    {
        if (context.Request.LocalDatabase is not { } path || !Path.Exists(path))
        {
            return;
        }

        try
        {
            await using var backup = await OpenAsync(context, options, options.Prefix, context.Environment.StopToken);
            await LocalDatabase.CheckAsync(context, backup);
        }
        catch (RestoreException failure) when (failure.Code is RestoreErrorCode.LocationNotFound or RestoreErrorCode.RemoteFolderNotFound
            or RestoreErrorCode.BackupNotFound or RestoreErrorCode.PrefixNotFound or RestoreErrorCode.FileListsMissing)
        {
            throw new RestoreException(
                RestoreErrorCode.DatabaseMismatch, "The database belongs to another backup: there is none at the destination yet", path, failure);
        }
    }

    private static Task<Backup> OpenAsync(CommandContext context, BackupWriterOptions options, string? prefix, CancellationToken cancellationToken) =>
        Backup.OpenAsync(
            options.Destination,
            context.Request.Backup with { DatabasePath = null, Passphrase = options.Passphrase, Prefix = prefix, LoggerFactory = options.LoggerFactory },
            cancellationToken);

    private BackupWriterOptions OptionsOf(CommandContext context, IReadOnlyList<string> sources, string destination) => context.Request.Writer with
    {
        Sources = sources,
        Destination = destination,
        Stores = context.Request.Backup.Stores,
        StoreOptions = context.Request.Backup.StoreOptions,
        Passphrase = context.Request.Writer.RefuseUnencrypted ? context.Request.Backup.Passphrase : null,
        Prefix = context.Request.Backup.Prefix,
        Filter = BackupSources.FilterOf(context),
        Decisions = !context.Request.DryRun || !context.Request.Verbose ? null
            : context.Request.Json ? new DecisionList(decisions) : new DecisionText(context.Output, isJson: false),
        DryRun = context.Request.DryRun,
        BreakLock = context.Line.Value(shared.BreakLock),
        Profile = true,
        TimeProvider = context.Environment.Clock,
        LoggerFactory = new OneLoggerFactory(context.Logger),
    };

    /// <summary>Duplicati's command line has the backup first; here it is last, as with a copy. A mistake must not fill the source with volumes.</summary>
    private static void RequireOrder(IReadOnlyList<string> sources, string destination)
    {
        if (sources.FirstOrDefault(source => source.Contains('\uFFFD', StringComparison.Ordinal)) is { } unnamed)
        {
            throw new UsageException($"The source {unnamed} is not in UTF-8, so it cannot be named here; name the folder above it, or rename it");
        }

        if (sources.FirstOrDefault(source => source.Contains("://", StringComparison.Ordinal)) is { } url)
        {
            throw new UsageException($"A source is a folder or file of this machine, and {url} is none: the sources come first, the place of the backup last");
        }

        if (StorageLocation.FolderOf(destination) is { } folder && sources.All(source => FolderPath.IsInside(source, folder)))
        {
            throw new CommandException(ExitCodes.NotFound, $"There is nothing to back up: {sources[0]} is where the backup itself goes");
        }

        if (StorageLocation.HasLists(sources[0]) && Directory.Exists(destination) && !StorageLocation.HasLists(destination))
        {
            throw new UsageException($"{sources[0]} is a backup, and {destination} is none: the sources come first, the place of the backup last");
        }
    }
}

internal static class BackupText
{
    public const string NoFile = "No file was taken: a source is empty or not mounted, or the filters leave every file out";

    // Below it, no stage is what the others wait for.
    private const double MostlyBusy = 0.5;

    public static void Write(TextWriter output, BackupWriterReport report, bool isDryRun, ReportSize size, CompanionFileState? restorer)
    {
        output.WriteLine(Title(report, isDryRun));
        output.WriteLine($"  Files     {Units.Number(report.Files)} ({Units.Bytes(report.Bytes)}), "
            + $"of these {Units.Number(report.UnchangedFiles)} not read again; "
            + $"{Units.Count(report.Folders, "folder")}, {Units.Count(report.Symlinks, "link")}; {Units.Number(report.LeftOut)} left out");
        output.WriteLine($"  New       {Units.Count(report.NewBlocks, "block")} ({Units.Bytes(report.NewBlockBytes)}) of {Units.Bytes(report.BytesRead)} read");
        output.WriteLine($"  {(isDryRun ? "To write " : "Written  ")} {Units.Bytes(report.BytesWritten)} in "
            + $"{Units.Count(report.BlockVolumes, "block volume")}, {Units.Duration(report.Elapsed)}");
        var isMeasured = !isDryRun && !report.NothingChanged;
        foreach (var stage in report.Stages.Where(stage => isMeasured && size == ReportSize.All && stage.Bytes > 0))
        {
            output.WriteLine($"  {stage.Stage,-9} {Units.Bytes(stage.Bytes)} at {Units.Rate(stage.Bytes, stage.Working / stage.Copies)}; "
                + $"{Units.Count(stage.Copies, "copy", "copies")}, working {Units.Percent(stage.Busy, 1)} of the time");
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
            output.WriteLine("  Partial   the backup was stopped: the version has what was read until then, and retention does not count it");
        }

        if (report.HasNoFile)
        {
            output.WriteLine($"  Empty     {char.ToLowerInvariant(NoFile[0])}{NoFile[1..]}"
                + (report.FileListName is null ? "" : ". Retention does not count this version"));
        }

        var sound = report.HasNoFile || report.IsPartial ? null : isDryRun ? "everything could be read" : "everything is in the backup";
        IssueText.Write(output, report.Issues, size, sound, "what a source that is a link leads to");
    }

    public static JsonObject JsonOf(BackupWriterReport report, bool isDryRun, CompanionFileState? restorer, IEnumerable<SourceDecision>? decisions) =>
        Json.Outcome(ExitCodes.Of(report)).With(new() { ["dryRun"] = isDryRun }).With(Json.Of(report))
            .With(new() { ["limit"] = Limit(report), ["restorer"] = restorer is { } state ? Restorer.WordOf(state) : null })
            .With(decisions is null ? [] : new() { ["entries"] = Json.Array(decisions, DecisionText.JsonOf) });

    private static string Title(BackupWriterReport report, bool isDryRun) =>
        report.NothingChanged ? "Nothing has changed since the newest version, so no version was written (--upload-unchanged-backups writes one)"
        : report.HasNoFile && report.FileListName is null && !isDryRun ? "No file was taken, so no version was made"
        : isDryRun ? "Dry run: nothing is written"
        : report.IsPartial ? $"Made the partial version {ReportJson.Time(report.Time)}: {SafeText.Escape(report.FileListName ?? "")}"
        : $"Made the version {ReportJson.Time(report.Time)}: {SafeText.Escape(report.FileListName ?? "")}";

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
        _ => "for a folder a faster disk, for a server a higher --asynchronous-upload-limit if the network has room; and no --throttle-upload",
    };
}

/// <summary>A line that is redrawn in place, or one every few seconds where that cannot be done.</summary>
internal sealed class BackupProgressView(CommandContext context) : IProgress<BackupWriterProgress>, IAsyncDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);

    private readonly Lock gate = new();
    private readonly TerminalLine line = new(context.Environment);
    private long lastLine = context.Environment.Clock.GetTimestamp();

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
                line.Draw(Describe(value));
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
        line.Clear();
        return ValueTask.CompletedTask;
    }

    private static string Describe(BackupWriterProgress value) =>
        $"{Units.Count(value.FilesDone, "file")} ({Units.Bytes(value.BytesDone)}), read {Units.Bytes(value.BytesRead)}, "
        + $"written {Units.Bytes(value.BytesWritten)} in {Units.Count(value.VolumesWritten, "volume")}, {Units.Duration(value.Elapsed)}";
}
