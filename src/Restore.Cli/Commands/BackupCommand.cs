namespace Restore.Cli.Commands;

internal sealed class BackupCommand(SharedOptions shared, OptionGroup source) : ICliCommand
{
    private static readonly Option<bool> WithRestorer = Declare.Flag(
        "--with-restorer",
        "Put restore.html beside the volumes too: it restores in a browser. One that is the same stays, another one is replaced"
    );

    private static readonly Option<bool> SkipsAssessment = Declare.Flag(
        "--skip-assessment",
        "Do not compare the new version with the versions before it, which reads up to 12 file lists; without it, a suspect one is code 19"
    );

    private readonly OptionGroup making = MakingOptions.Making(shared, WithRestorer);
    private readonly QuotaOptions quota = new();
    private readonly List<SourceDecision> decisions = [];

    public string Name => "backup";

    public bool RunsLong => true;

    public string Summary => "make a backup that Duplicati reads too";

    public IReadOnlyList<Operand> Operands => [Operand.Sources, Operand.Destination];

    public IReadOnlyList<OptionGroup> Options =>
        [
            source,
            making,
            new("Making the backup", [.. quota.Options, SkipsAssessment]) { IsFromJob = true },
            shared.DryRunAlone,
            shared.Access,
            shared.Scripts.Group,
            shared.Output,
            shared.NightlyReport,
            shared.Program,
        ];

    public IReadOnlyList<string> Examples =>
        [
            "restore backup /home/ann /mnt/backup --passphrase-file=/root/secret",
            "restore backup /home/ann /mnt/open-backup --no-encryption --exclude='*.tmp'",
        ];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context)
    {
        IReadOnlyList<string> given = context.Request.Operands;
        var ofJob = context.Request.Storage;
        if (ofJob.Length == 0 && given.Count < 2)
        {
            throw new UsageException(
                "Name what to back up, and after it where the backup is: a folder or a storage URL, or a job with --job"
            );
        }

        context = context with
        {
            Request = context.Request with { LocalDatabase = context.Request.Backup.DatabasePath },
        };
        var sources = BackupSources.Of(context, ofJob.Length > 0 ? given : [.. given.SkipLast(1)]);
        var place = ofJob.Length > 0 ? ofJob : given[^1];
        return UnattendedRun.RunAsync(context, place, unattended => RunAsync(unattended, sources, place));
    }

    private Task<int> RunAsync(CommandContext context, IReadOnlyList<string> sources, string place)
    {
        RequireOrder(sources, place);
        var restorer = context.Line.Value(WithRestorer) ? Restorer.Of(context.Environment) : null;
        var options = OptionsOf(context, sources, place);
        return OperationScripts.RunAsync(
            context,
            shared.Scripts,
            place,
            sources,
            () =>
                PassphrasePrompt.RunAsync(
                    options.Passphrase,
                    context.Environment.AskSecret,
                    context.Messages,
                    async passphrase =>
                    {
                        context.Secrets.Add(passphrase);
                        return await RunAsync(context, options with { Passphrase = passphrase }, restorer);
                    }
                )
        );
    }

    private async Task<int> RunAsync(CommandContext context, BackupWriterOptions options, Restorer? restorer)
    {
        var lists = options.Decisions is not null;
        LocalDatabase.RequireWritable(context);
        WarnOfVersionsToKeep(context);
        await RequireDatabaseAsync(context, options);
        BackupWriterReport report;
        await using (var view = new BackupProgressView(context))
        await using (
            context.Environment.StopToken.Register(() =>
                context.Messages.WriteLine(
                    "Stopping: what is read already becomes a partial version; another interruption ends without a version"
                )
            )
        )
        {
            var stoppable = options with { Progress = view, StopToken = context.Environment.StopToken };
            report = await new BackupWriter(stoppable).WriteAsync(context.Environment.CancellationToken);
        }

        Warn(context, report);
        if (report.FileListName is not null)
        {
            // The version is made, whole or partial, and what belongs to it is done too; only a
            // second interruption ends that.
            context = context with
            {
                Line = context.Line with
                {
                    Environment = context.Environment with { StopToken = context.Environment.CancellationToken },
                },
            };
        }

        if (quota.WarningOf(context.Line, options.Destination, report.StoredBytes) is { } warning)
        {
            report = report with { Issues = [.. report.Issues, warning] };
        }

        var suspicion = await NewVersionAssessment.OfAsync(
            context,
            report,
            context.Line.Value(SkipsAssessment),
            token => OpenAsync(context, options, report.Prefix, token)
        );
        var beside = restorer is null || options.DryRun ? null : await PutAsync(context, restorer, options.Destination);
        context.Write(
            () =>
                BackupText
                    .JsonOf(report, options.DryRun, beside, lists ? decisions : null)
                    .With(NewVersionAssessment.JsonOf(report, suspicion)),
            output => BackupText.Write(output, report, options.DryRun, context.ReportSize, beside)
        );

        var code = NewVersionAssessment.CodeOf(report, suspicion);
        var isThere = !report.HasNoFile || report.NothingChanged || report.FileListName is not null;
        return isThere
            ? await LocalDatabase.UpdateAsync(context, token => OpenAsync(context, options, report.Prefix, token), code)
            : code;
    }

    /// <summary>
    /// A nightly job need not keep the report, so what a user must know goes to the standard error
    /// too.
    /// </summary>
    private static void Warn(CommandContext context, BackupWriterReport report)
    {
        foreach (var link in report.Issues.Where(issue => issue.Kind == IssueKind.LeftOut))
        {
            context.Messages.WriteLine($"Warning: {SafeText.Escape(link.Path)}: {link.Reason}");
        }

        if (report.IsPartial)
        {
            context.Messages.WriteLine(
                "Warning: The backup was stopped, so the version is partial: the same command makes a whole one, and stores nothing twice"
            );
        }

        if (report.HasNoFile)
        {
            context.Messages.WriteLine($"Warning: {BackupText.NoFile}");
        }
    }

    /// <summary>Duplicati's backup command deletes old versions by these options.</summary>
    private static void WarnOfVersionsToKeep(CommandContext context)
    {
        string[] given =
        [
            .. context.Line.WithoutEffect.Intersect(["--keep-versions", "--keep-time", "--retention-policy"]),
        ];
        if (given.Length > 0 && !context.Request.Quiet)
        {
            context.Messages.WriteLine(
                $"Old versions stay: 'restore delete' with {string.Join(", ", given)} removes them after the backup"
            );
        }
    }

    /// <summary>The version is made, so a failure to store the restorer is a warning.</summary>
    private static async Task<CompanionFileState?> PutAsync(
        CommandContext context,
        Restorer restorer,
        string destination
    )
    {
        try
        {
            return await restorer.PutAsync(context, destination, context.Request.Backup);
        }
        catch (RestoreException failure)
        {
            context.Messages.WriteLine(
                $"Warning: --with-restorer: {Restorer.FileName} is not as it should be there: {failure.Message}"
            );
            return null;
        }
    }

    /// <summary>
    /// Requires that the database belongs to the backup at the destination. Without a backup there
    /// must be no database.
    /// </summary>
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
        catch (RestoreException failure)
            when (failure.Code
                    is RestoreErrorCode.LocationNotFound
                        or RestoreErrorCode.RemoteFolderNotFound
                        or RestoreErrorCode.BackupNotFound
                        or RestoreErrorCode.PrefixNotFound
                        or RestoreErrorCode.FileListsMissing
            )
        {
            throw new RestoreException(
                RestoreErrorCode.DatabaseMismatch,
                "The database belongs to another backup: there is none at the destination yet",
                path,
                failure
            );
        }
    }

    private static Task<Backup> OpenAsync(
        CommandContext context,
        BackupWriterOptions options,
        string? prefix,
        CancellationToken cancellationToken
    ) =>
        Backup.OpenAsync(
            options.Destination,
            context.Request.Backup with
            {
                DatabasePath = null,
                Passphrase = options.Passphrase,
                Prefix = prefix,
                LoggerFactory = options.LoggerFactory,
            },
            cancellationToken
        );

    private BackupWriterOptions OptionsOf(CommandContext context, IReadOnlyList<string> sources, string destination) =>
        context.Request.Writer with
        {
            Sources = sources,
            Destination = destination,
            Stores = context.Request.Backup.Stores,
            StoreOptions = context.Request.Backup.StoreOptions,
            Passphrase = context.Request.Writer.RefuseUnencrypted ? context.Request.Backup.Passphrase : null,
            Prefix = context.Request.Backup.Prefix,
            Filter = BackupSources.FilterOf(context),
            Decisions =
                !context.Request.DryRun || !context.Request.Verbose ? null
                : context.Request.Json ? new DecisionList(decisions)
                : new DecisionText(context.Output, isJson: false),
            DryRun = context.Request.DryRun,
            BreakLock = context.Line.Value(shared.BreakLock),
            Profile = true,
            TimeProvider = context.Environment.Clock,
            LoggerFactory = new OneLoggerFactory(context.Logger),
        };

    /// <summary>
    /// Duplicati's command line has the backup first; here it is last, as with a copy. A mistake
    /// must not fill the source with volumes.
    /// </summary>
    private static void RequireOrder(IReadOnlyList<string> sources, string destination)
    {
        if (sources.FirstOrDefault(source => source.Contains('\uFFFD', StringComparison.Ordinal)) is { } unnamed)
        {
            throw new UsageException(
                $"The source {unnamed} is not in UTF-8, so it cannot be named here; name the folder above it, or rename it"
            );
        }

        if (sources.FirstOrDefault(source => source.Contains("://", StringComparison.Ordinal)) is { } url)
        {
            throw new UsageException(
                $"A source is a folder or file of this machine, and {url} is none: the sources come first, the place of the backup last"
            );
        }

        if (
            StorageLocation.FolderOf(destination) is { } folder
            && sources.All(source => FolderPath.IsInside(source, folder))
        )
        {
            throw new CommandException(
                ExitCodes.NotFound,
                $"There is nothing to back up: {sources[0]} is where the backup itself goes"
            );
        }

        if (
            StorageLocation.HasLists(sources[0])
            && Directory.Exists(destination)
            && !StorageLocation.HasLists(destination)
        )
        {
            throw new UsageException(
                $"{sources[0]} is a backup, and {destination} is none: the sources come first, the place of the backup last"
            );
        }
    }
}
