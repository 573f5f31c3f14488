namespace Restore.Cli.Commands;

internal sealed class RepairCommand(SharedOptions shared) : ICliCommand
{
    private readonly Option<string?> indexFolder = Declare.Text(
        "--index-folder",
        "FOLDER",
        "that of the backup",
        "Write new index volumes to this folder or storage URL instead"
    );

    private readonly Option<bool> purge = Declare.Flag(
        "--purge-broken-files",
        "Instead of making index volumes: leave entries whose blocks are in no volume out of the file lists, after a plan and a question"
    );

    private readonly Option<bool> rebuildBlocks = Declare.Flag(
        "--rebuild-missing-dblock-files",
        "Instead of making index volumes: search the files that were backed up, where they are now, for lost blocks"
    );

    private readonly Option<string?> rebuildFrom = Declare.Text(
        "--rebuild-from",
        "FOLDER",
        "the recorded places",
        "Search below this folder for lost blocks, for example on a mounted disk"
    );

    private readonly PassphraseChange newPassphrase = new(shared);

    public string Name => "repair";

    public bool RunsLong => true;

    public string Summary => "bring back index volumes, file lists and lost blocks, or leave lost files out";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options =>
        [
            new("Keeping", [indexFolder, rebuildBlocks, rebuildFrom, purge, .. newPassphrase.Options]),
            shared.Access,
            shared.Change,
            shared.Scripts.Group,
            shared.Output,
            shared.Program,
        ];

    public IReadOnlyList<string> Examples =>
        [
            "restore repair /mnt/backup",
            "restore repair /mnt/backup --dbpath=/home/ann/job.sqlite",
            "restore repair /mnt/backup --rebuild-missing-dblock-files --dry-run",
            "restore repair s3://bucket/folder --index-folder=/mnt/new-volumes",
            "restore repair /mnt/backup --purge-broken-files --dry-run",
            "restore repair /mnt/backup --new-passphrase-file=/root/new-secret",
        ];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context)
    {
        var given = context.Line.Value(indexFolder);
        var folder =
            context.Request.DryRun ? null
            : given is { Length: > 0 } ? given
            : context.Request.Storage;
        var purges = context.Line.Value(purge);
        if (purges && given is not null)
        {
            throw new UsageException("--purge-broken-files makes no index volumes: leave out --index-folder");
        }

        var rebuilds = context.Line.Value(rebuildBlocks);
        var from = context.Line.Value(rebuildFrom);
        if (rebuilds && (purges || given is not null))
        {
            throw new UsageException(
                "--rebuild-missing-dblock-files makes block volumes: leave out --purge-broken-files and --index-folder"
            );
        }

        if (from is not null && !(rebuilds && Directory.Exists(from)))
        {
            throw new UsageException(
                rebuilds
                    ? $"--rebuild-from: there is no folder {from}"
                    : "--rebuild-from says where to search: give --rebuild-missing-dblock-files too"
            );
        }

        var passphrase = newPassphrase.Given(context);
        if (passphrase is not null && (purges || rebuilds || given is not null))
        {
            throw new UsageException(
                "--new-passphrase changes the passphrase and nothing else: "
                    + "leave out --index-folder, --purge-broken-files and --rebuild-missing-dblock-files"
            );
        }

        return OperationScripts.RunAsync(
            context,
            shared.Scripts,
            context.Request.Storage,
            [],
            async () =>
            {
                if (passphrase is not null)
                {
                    return await newPassphrase.RunAsync(context, passphrase);
                }

                // A purge decides what is lost for good, and must see the versions that can still
                // come back.
                var lists = await FileListRepair.RunAsync(context, shared);
                if (lists is not (ExitCodes.Complete or ExitCodes.Incomplete))
                {
                    return lists;
                }

                var code = await LocalDatabase.KeepAsync(
                    context,
                    backup =>
                        rebuilds ? BlockRepair.RunAsync(context, shared.MaintenanceOf(backup, context.Line), from)
                        : purges ? PurgeAsync(context, backup)
                        : RepairAsync(context, backup, folder)
                );
                return code == ExitCodes.Complete ? lists : code;
            }
        );
    }

    private static async Task<int> RepairAsync(CommandContext context, Backup backup, string? folder)
    {
        var stop = context.Environment.StopToken;
        var report = await context.ShowAsync(view =>
            folder is null
                ? backup.Maintenance.CheckAsync(view, stop)
                : backup.Maintenance.RepairAsync(folder, view, stop)
        );
        var isRepaired = folder is not null;
        return CheckText.Write(
            context,
            report,
            CheckText.ContentsUnread,
            isRepaired ? CheckText.NotMade : CheckText.ToMake,
            isRepaired
        );
    }

    private async Task<int> PurgeAsync(CommandContext context, Backup backup)
    {
        var plan = await context.ShowAsync(view =>
            backup.Maintenance.PlanPurgeAsync(view, context.Environment.StopToken)
        );
        var what = Units.Count(plan.Versions.Count(version => version.StaysBecause is null), "file list");
        var lists = Units.Count(plan.LostListsKnown, "list of blocks", "lists of blocks");
        var onlyLists = plan.Versions.All(version => version.StaysBecause is not null);
        return await new PlannedChange<PurgeReport>
        {
            Summary = onlyLists
                ? $"{lists} would be put into a volume of {backup.Location} again"
                : $"{what} would be replaced in {backup.Location} by new ones without the lost entries",
            Question = onlyLists ? $"Write {lists}?" : $"Replace {what}?",
            IsNeeded = plan.IsNeeded,
            Lines = PurgeText.Lines(plan, context),
            ExecuteAsync = () =>
                context.ShowAsync(view =>
                    shared.MaintenanceOf(backup, context.Line).PurgeAsync(plan, view, context.Environment.StopToken)
                ),
            JsonOf = report => PurgeText.JsonOf(plan, report),
            Write = PurgeText.Write,
            IssuesOf = report => report?.Issues ?? plan.Issues,
        }.RunAsync(context);
    }
}
