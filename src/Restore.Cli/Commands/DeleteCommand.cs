namespace Restore.Cli.Commands;

internal sealed class DeleteCommand(SharedOptions shared) : ICliCommand
{
    private readonly Option<int?> keepVersions = Declare.Count(
        "--keep-versions",
        0,
        int.MaxValue,
        "all",
        "Keep this many full versions, the newest; partial versions between full ones go"
    );

    private readonly Option<DateTimeOffset?> keepTime = Declare.Time(
        "--keep-time",
        shared.Clock,
        "Keep the versions of this time and later: 3M (three months) or 2026-01-31; with a tolerance of 1 % of the time since then, at most an hour"
    );

    private readonly Option<RetentionPolicy?> policy = Declare.Policy(
        "--retention-policy",
        "Time frames and the least interval between versions in them: 7D:1D,4W:1W,12M:1M. U is unlimited. What is older than all frames goes"
    );

    private readonly Option<bool> allowFullRemoval = Declare.Flag(
        "--allow-full-removal",
        "Let all versions go; without it the newest stays if all would go"
    );

    private readonly Option<bool> allowLastGood = Declare.Flag(
        "--allow-removal-of-last-good",
        "Let the newest good version go although all newer ones are suspect or incomplete; without it, it stays ('restore assess' says which it is)"
    );

    private readonly Option<bool> exact = Declare.Flag("--disable-time-tolerance", "Take --keep-time to the second");

    public string Name => "delete";

    public string Summary => "delete versions from the backup";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options =>
        [
            new(
                "Keeping",
                [shared.VersionNumber, keepVersions, keepTime, policy, allowFullRemoval, allowLastGood, exact]
            )
            {
                IsFromJob = true,
            },
            shared.Access,
            shared.Change,
            shared.Scripts.Group,
            shared.Output,
            shared.NightlyReport,
            shared.Program,
        ];

    public IReadOnlyList<string> Examples =>
        [
            "restore delete /mnt/backup --keep-versions=10",
            "restore delete /mnt/backup --retention-policy=7D:1D,4W:1W,12M:1M --dry-run",
        ];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context) =>
        UnattendedRun.RunAsync(
            context,
            context.Request.Storage,
            unattended => RunAsync(unattended, RulesOf(unattended.Line))
        );

    private async Task<int> RunAsync(CommandContext context, RetentionRules rules)
    {
        var given = context.Line.Value(shared.VersionNumber);
        var known = given is null ? null : await VersionsOfDatabaseAsync(context);
        return await RunAsync(context, rules, given, known);
    }

    /// <summary>
    /// The versions as 'versions' numbers them with the same database, which also knows versions
    /// that have lost their file lists; null without a database. The plan knows only versions with
    /// lists, so the same number can mean another version there.
    /// </summary>
    private static async Task<IReadOnlyList<BackupVersion>?> VersionsOfDatabaseAsync(CommandContext context)
    {
        if (context.Request.LocalDatabase is not { } database || !File.Exists(database))
        {
            return null;
        }

        IReadOnlyList<BackupVersion>? versions = null;
        var request = context.Request with { Backup = context.Request.Backup with { DatabasePath = database } };
        await (context with { Request = request }).WithBackupAsync(backup =>
        {
            versions = backup.Versions;
            return Task.FromResult(ExitCodes.Complete);
        });
        return versions;
    }

    private static IReadOnlyList<int> NumbersOf(
        VersionNumbers? given,
        IReadOnlyList<BackupVersion>? known,
        Backup backup
    )
    {
        if (given is null || known is null)
        {
            return given?.Expand(backup.Versions.Count) ?? [];
        }

        return
        [
            .. given
                .Expand(known.Count)
                .Select(number =>
                    number >= known.Count
                        ? throw new RestoreException(
                            RestoreErrorCode.VersionNotFound,
                            $"There is no version {number}: the oldest is {known.Count - 1}"
                        )
                    : backup.Versions.FirstOrDefault(one => one.FileListName == known[number].FileListName)
                        is { } version
                        ? version.Index
                    : throw new RestoreException(
                        RestoreErrorCode.VersionNotFound,
                        $"Only the database has version {number}: its file list is gone, so there is nothing to delete"
                    )
                ),
        ];
    }

    private Task<int> RunAsync(
        CommandContext context,
        RetentionRules rules,
        VersionNumbers? given,
        IReadOnlyList<BackupVersion>? known
    ) =>
        OperationScripts.RunAsync(
            context,
            shared.Scripts,
            context.Request.Storage,
            [],
            () =>
                LocalDatabase.KeepAsync(
                    context,
                    async backup =>
                    {
                        var numbers = NumbersOf(given, known, backup);
                        var plan = await context.ShowAsync(view =>
                            backup.Maintenance.PlanDeletionAsync(
                                rules with
                                {
                                    Versions = numbers,
                                },
                                view,
                                context.Environment.StopToken
                            )
                        );
                        var what = Units.Count(plan.Deleted.Count(), "version");
                        return await new PlannedChange<DeletionReport>
                        {
                            Summary = $"{what} would be deleted from {backup.Location}",
                            Question = $"Delete {what}?",
                            IsNeeded = plan.Deleted.Any(),
                            Lines = DeletionText.Lines(plan, context.Environment.Clock),
                            ExecuteAsync = () =>
                                shared
                                    .MaintenanceOf(backup, context.Line)
                                    .DeleteVersionsAsync(plan, cancellationToken: context.Environment.StopToken),
                            JsonOf = report => DeletionText.JsonOf(plan, report),
                            Write = (output, report) =>
                                output.WriteLine(
                                    $"Deleted {Units.Count(report.Deleted.Count, "version")}, {Units.Number(report.VersionsLeft)} left. "
                                        + "The data that only they needed goes with 'restore compact'"
                                ),
                            IssuesOf = _ => plan.Issues,
                            WriteIssues = IssueText.WriteWarnings,
                        }.RunAsync(context);
                    }
                )
        );

    private RetentionRules RulesOf(CommandLine line)
    {
        RetentionRules rules = new()
        {
            KeepVersions = line.Value(keepVersions) is > 0 and var count ? count : null,
            KeepSince = line.Value(keepTime),
            Policy = line.Value(policy),
            AllowsFullRemoval = line.Value(allowFullRemoval),
            AllowsRemovalOfLastGood = line.Value(allowLastGood),
            IsExact = line.Value(exact),
        };
        string[] given =
        [
            .. rules.KeepVersions is null ? [] : new[] { "--keep-versions" },
            .. rules.KeepSince is null ? [] : new[] { "--keep-time" },
            .. rules.Policy is null ? [] : new[] { "--retention-policy" },
        ];
        if (given.Length > 1)
        {
            throw new UsageException($"{string.Join(" and ", given)} exclude each other; give one of them");
        }

        if (rules.KeepSince >= shared.Clock.GetUtcNow())
        {
            throw new UsageException(
                "--keep-time: the time is not in the past, and no version would be kept; give a time such as 3M (three months ago)"
            );
        }

        return given.Length == 1 || line.Value(shared.VersionNumber) is not null ? rules
            : line.Value(keepVersions) is 0
                ? throw new UsageException("--keep-versions=0 keeps all versions; give a number from 1 on")
            : throw new UsageException(
                "Say which versions stay with --keep-versions, --keep-time or --retention-policy, or which go with --version"
            );
    }
}
