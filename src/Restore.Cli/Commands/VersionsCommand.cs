namespace Restore.Cli.Commands;

internal sealed class VersionsCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "versions";

    public IReadOnlyList<string> DuplicatiNames => ["list-filesets"];

    public IReadOnlyList<string> NamesElsewhere => ["snapshots"];

    public string Summary => "list the versions, newest first";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options =>
        [new("List", [shared.Long]), shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples =>
        ["restore versions /mnt/backup", "restore versions ssh://ann@host/backup -l"];

    public Task<int> RunAsync(CommandContext context) =>
        context.WithBackupAsync(async backup =>
        {
            await TryPassphraseAsync(context, backup);
            var isAsked = context.Line.Value(shared.Long);
            var changes =
                isAsked || OpenLists.IsCheap(context, backup)
                    ? await VersionChanges.ReadAsync(backup, context.Environment.StopToken)
                    : null;
            var assessment = changes is null ? null : await OpenLists.AssessAsync(context, backup);
            HashSet<BackupVersion> partial =
                !isAsked && !OpenLists.IsOpen(context, backup)
                    ? []
                    : await PartialOfAsync(backup, context.Environment.StopToken);
            context.Write(
                () =>
                    new()
                    {
                        ["versions"] = Json.Array(
                            backup.Versions,
                            version =>
                                Json.Of(version)
                                    .With(Known(backup, version))
                                    .With(partial.Contains(version) ? new() { ["partial"] = true } : [])
                                    .With(changes?[version.Index].Json ?? [])
                                    .With(
                                        VerdictOf(assessment, version) is { } verdict
                                            ? new() { ["verdict"] = AssessmentText.VerdictOf(verdict) }
                                            : []
                                    )
                        ),
                    },
                output =>
                {
                    foreach (var version in backup.Versions)
                    {
                        var isInTheFuture = version.Time - context.Environment.Clock.GetUtcNow() > TimeSpan.FromDays(1);
                        var name = context.Environment.OutputIsTerminal ? "" : SafeText.Escape(version.FileListName);
                        var what = changes is null ? name : changes[version.Index].Size;
                        var time = Units.Time(version.Time, context.Environment.Clock);
                        var onlyInDatabase = backup.HasFileList(version) ? "" : "  (only in the database)";
                        var verdict = VerdictOf(assessment, version);

                        // That the newest version is the newest good one needs no mark.
                        var isRecommended = version.Index > 0 && version.Index == assessment?.Recommended;
                        var suspicion =
                            verdict?.Verdict == VersionVerdict.Suspect ? "  (suspect)"
                            : verdict is not null && isRecommended ? "  (newest good)"
                            : "";
                        var marks =
                            $"{suspicion}{(partial.Contains(version) ? "  (partial)" : "")}{onlyInDatabase}{(isInTheFuture ? "  (in the future)" : "")}";
                        output.WriteLine(
                            TableLine.Fit(
                                context.Environment,
                                $"{version.Index, 4}  {time}  {what}",
                                marks,
                                changes?[version.Index].Differences ?? []
                            )
                        );
                    }
                }
            );
            return changes?.Any(change => change.Problem is not null) == true
                ? ExitCodes.Incomplete
                : ExitCodes.Complete;
        });

    private static VersionAssessment? VerdictOf(BackupAssessment? assessment, BackupVersion version) =>
        assessment?.Versions.FirstOrDefault(one => one.Index == version.Index);

    /// <summary>
    /// The partial versions: their backup was stopped, or took no file.
    /// </summary>
    private static async Task<HashSet<BackupVersion>> PartialOfAsync(Backup backup, CancellationToken cancellationToken)
    {
        HashSet<BackupVersion> partial = [];
        foreach (var version in backup.Versions)
        {
            if (await backup.IsPartialAsync(version, cancellationToken) == true)
            {
                partial.Add(version);
            }
        }

        return partial;
    }

    private static JsonObject Known(Backup backup, BackupVersion version) =>
        backup.HasFileList(version) ? [] : new() { ["onlyInDatabase"] = true };

    /// <summary>
    /// Names and times need no passphrase, but a user who gives a wrong one should know. The
    /// smallest list shows that, if it does not take long to fetch.
    /// </summary>
    private static async Task TryPassphraseAsync(CommandContext context, Backup backup)
    {
        if (context.Request.Backup.Passphrase is null || !Directory.Exists(backup.Location))
        {
            return;
        }

        try
        {
            var smallest = backup
                .Versions.Where(backup.HasFileList)
                .MinBy(version => OpenLists.LengthOf(backup, version));
            if (smallest is null || OpenLists.LengthOf(backup, smallest) > OpenLists.CheapListBytes)
            {
                return;
            }

            // The first entry is enough: reading it decrypts the list.
            await foreach (var unused in backup.ListAsync(smallest, cancellationToken: context.Environment.StopToken))
            {
                break;
            }
        }
        catch (Exception failure)
            when (failure
                    is IOException
                        or UnauthorizedAccessException
                        or RestoreException { Code: not RestoreErrorCode.WrongPassphrase }
            )
        {
            // The commands that need the list report what is wrong with it.
        }
    }
}
