namespace Restore.Cli.Commands;

internal sealed class RepairCommand(SharedOptions shared) : ICliCommand
{
    private readonly Option<string?> indexFolder = Declare.Text(
        "--index-folder", "FOLDER", "that of the backup", "Write new index volumes to this folder or storage URL instead");

    private readonly Option<bool> purge = Declare.Flag(
        "--purge-broken-files",
        "Instead of making index volumes: leave entries whose blocks are in no volume out of the file lists, after a plan and a question");

    private readonly Option<bool> rebuildBlocks = Declare.Flag(
        "--rebuild-missing-dblock-files",
        "Instead of making index volumes: search the files that were backed up, where they are now, for lost blocks");

    private readonly Option<string?> rebuildFrom = Declare.Text(
        "--rebuild-from",
        "FOLDER",
        "the recorded places",
        "Search below this folder for lost blocks, for example on a mounted disk");

    private readonly PassphraseChange newPassphrase = new(shared);

    public string Name => "repair";

    public string Summary => "bring back index volumes, file lists and lost blocks, or leave lost files out";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options =>
    [
        new("Keeping", [indexFolder, rebuildBlocks, rebuildFrom, purge, .. newPassphrase.Options]), shared.Access, shared.Change,
        shared.Scripts.Group, shared.Output, shared.Program,
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
        var folder = context.Request.DryRun ? null : given is { Length: > 0 } ? given : context.Request.Storage;
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
                "--rebuild-missing-dblock-files makes block volumes: leave out --purge-broken-files and --index-folder");
        }

        if (from is not null && !(rebuilds && Directory.Exists(from)))
        {
            throw new UsageException(rebuilds
                ? $"--rebuild-from: there is no folder {from}"
                : "--rebuild-from says where to search: give --rebuild-missing-dblock-files too");
        }

        var passphrase = newPassphrase.Given(context);
        if (passphrase is not null && (purges || rebuilds || given is not null))
        {
            throw new UsageException(
                "--new-passphrase changes the passphrase and nothing else: "
                + "leave out --index-folder, --purge-broken-files and --rebuild-missing-dblock-files");
        }

        return OperationScripts.RunAsync(context, shared.Scripts, context.Request.Storage, [], async () =>
        {
            if (passphrase is not null)
            {
                return await newPassphrase.RunAsync(context, passphrase);
            }

            // A purge decides what is lost for good, and must see the versions that can still come back.
            var lists = await FileListRepair.RunAsync(context, shared);
            if (lists is not (ExitCodes.Complete or ExitCodes.Incomplete))
            {
                return lists;
            }

            var code = await LocalDatabase.KeepAsync(context, backup =>
                rebuilds ? BlockRepair.RunAsync(context, shared.MaintenanceOf(backup, context.Line), from)
                : purges ? PurgeAsync(context, backup)
                : RepairAsync(context, backup, folder));
            return code == ExitCodes.Complete ? lists : code;
        });
    }

    private static async Task<int> RepairAsync(CommandContext context, Backup backup, string? folder)
    {
        var stop = context.Environment.StopToken;
        var report = await context.ShowAsync(
            view => folder is null ? backup.Maintenance.CheckAsync(view, stop) : backup.Maintenance.RepairAsync(folder, view, stop));
        var isRepaired = folder is not null;
        return CheckText.Write(context, report, CheckText.ContentsUnread, isRepaired ? CheckText.NotMade : CheckText.ToMake, isRepaired);
    }

    private async Task<int> PurgeAsync(CommandContext context, Backup backup)
    {
        var plan = await context.ShowAsync(view => backup.Maintenance.PlanPurgeAsync(view, context.Environment.StopToken));
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
            ExecuteAsync = () => context.ShowAsync(
                view => shared.MaintenanceOf(backup, context.Line).PurgeAsync(plan, view, context.Environment.StopToken)),
            JsonOf = report => PurgeText.JsonOf(plan, report),
            Write = PurgeText.Write,
            IssuesOf = report => report?.Issues ?? plan.Issues,
        }.RunAsync(context);
    }
}

internal static class PurgeText
{
    private const int PathsShown = 20;

    public static IEnumerable<string> Lines(PurgePlan plan, CommandContext context)
    {
        yield return plan.Versions.Count == 0
            ? $"No version has an entry to leave out; {Units.Count(plan.LostBlocks, "block is", "blocks are")} in no volume"
            : $"{Units.Count(plan.LostBlocks, "block")} that {Units.Count(plan.Versions.Count, "version needs", "versions need")} "
                + (plan.LostBlocks == 1 ? "is in no volume" : "are in no volume");
        if (plan.LostListsKnown > 0)
        {
            var lists = Units.Count(plan.LostListsKnown, "of them, a list of blocks", "of them, lists of blocks");
            yield return $"Index volumes have {lists}: written to a volume again";
        }

        foreach (var version in plan.Versions)
        {
            var fate = version.StaysBecause is { } reason ? $"stays as it is: {reason}"
                : $"{Units.Count(version.Removed, "entry goes", "entries go")}, "
                    + $"{Units.Count(version.WithoutMetadata, "loses its metadata", "lose their metadata")}, {Units.Number(version.Entries)} stay";
            yield return $"{version.Version.Index,4}  {Units.Time(version.Version.Time, context.Environment.Clock)}  {SafeText.Escape(fate)}";
            string[] paths = [.. version.RemovedPaths, .. version.PathsWithoutMetadata.Select(path => path + "  (its metadata)")];
            var count = context.Request.Verbose ? paths.Length : PathsShown;
            foreach (var path in paths.Take(count))
            {
                yield return "        " + SafeText.Escape(path);
            }

            if (version.Removed + version.WithoutMetadata - Math.Min(count, paths.Length) is > 0 and var more)
            {
                yield return $"        and {Units.Number(more)} more; --verbose and --json have up to 20,000";
            }
        }
    }

    public static void Write(TextWriter output, PurgeReport report)
    {
        output.WriteLine($"Purged in {Units.Duration(report.Elapsed)}: "
            + Units.Count(report.Replaced.Count, "file list was replaced", "file lists were replaced"));
        foreach (var list in report.Replaced)
        {
            output.WriteLine($"            {SafeText.Escape(list.Made)} for {SafeText.Escape(list.Deleted)}");
        }
    }

    public static JsonObject JsonOf(PurgePlan plan, PurgeReport? report)
    {
        var issues = report?.Issues ?? plan.Issues;
        return Json.Outcome(ExitCodes.OfLosses(issues)).With(new()
        {
            ["dryRun"] = report is null && plan.IsNeeded,
            ["lostBlocks"] = plan.LostBlocks,
            ["lostListsKnown"] = plan.LostListsKnown,
            ["versions"] = Json.Array(plan.Versions, version => Json.Of(version).WithVersion().With(new()
            {
                ["newFileList"] = report?.Replaced.FirstOrDefault(list => list.Deleted == version.Version.FileListName)?.Made,
            })),
            ["bytesFetched"] = report?.BytesFetched ?? plan.BytesFetched,
            ["bytesWritten"] = report?.BytesWritten ?? 0,
            ["issues"] = Json.Issues(issues),
        });
    }
}
