namespace Restore.Cli.Commands;

internal sealed class CompactCommand(SharedOptions shared) : ICliCommand
{
    private readonly Option<int?> threshold = Declare.Count(
        "--threshold", 0, 100, "25", "Rewrite volumes of which this share, in percent, is needed by no version, if the backup has as much waste in all");

    private readonly Option<long?> smallFileSize = Declare.Size(
        "--small-file-size", "mb", "0", "1gb", "a fifth of --dblock-size", "A volume of at most this size is small");

    private readonly Option<int?> smallFileMaxCount = Declare.Count(
        "--small-file-max-count", 0, int.MaxValue, "20", "Rewrite small volumes if there are more of them, or if together they are longer than a volume");

    public string Name => "compact";

    public string Summary => "win back the space of what no version needs";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options =>
    [
        new("Keeping", [threshold, smallFileSize, smallFileMaxCount, shared.VolumeSize]) { IsFromJob = true },
        shared.Access, shared.Change, shared.Scripts.Group, shared.Output, shared.NightlyReport, shared.Program,
    ];

    public IReadOnlyList<string> Examples => ["restore compact /mnt/backup --dry-run", "restore compact s3://bucket/folder --threshold=40 --yes"];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context)
    {
        var options = OptionsOf(context.Line);
        return UnattendedRun.RunAsync(context, context.Request.Storage, unattended => RunAsync(unattended, options));
    }

    private Task<int> RunAsync(CommandContext context, CompactOptions options) =>
        OperationScripts.RunAsync(context, shared.Scripts, context.Request.Storage, [], () => LocalDatabase.KeepAsync(context, async backup =>
        {
            var plan = await context.ShowAsync(view => backup.Maintenance.PlanCompactAsync(options, view, context.Environment.StopToken));
            return await new PlannedChange<CompactReport>
            {
                Summary = $"{Units.Count(plan.Dead.Count + plan.Rewritten.Count, "block volume")} would be deleted from {backup.Location}, "
                    + $"after {Units.Bytes(plan.BytesToWrite)} of new ones",
                Question = "Compact?",
                IsNeeded = plan.IsNeeded,
                Lines = CompactText.Lines(plan, context.Request.Verbose),
                ExecuteAsync = () => context.ShowAsync(
                    view => shared.MaintenanceOf(backup, context.Line).CompactAsync(plan, view, context.Environment.StopToken)),
                JsonOf = report => CompactText.JsonOf(plan, report),
                Write = CompactText.Write,
                IssuesOf = report => report?.Issues ?? plan.Issues,
            }.RunAsync(context);
        }));

    private CompactOptions OptionsOf(CommandLine line)
    {
        CompactOptions usual = new();
        return usual with
        {
            ThresholdPercent = line.Value(threshold) ?? usual.ThresholdPercent,
            SmallFileSizeBytes = line.Value(smallFileSize),
            SmallFileMaxCount = line.Value(smallFileMaxCount) ?? usual.SmallFileMaxCount,
            VolumeSizeBytes = (int?)line.Value(shared.VolumeSize),
        };
    }
}

internal static class CompactText
{
    private const int VolumesShown = 20;

    public static IEnumerable<string> Lines(CompactPlan plan, bool all)
    {
        yield return $"Of {Units.Bytes(plan.DataBytes)} of blocks before compression, {Units.Bytes(plan.WastedBytes)} "
            + $"({Units.Percent(plan.WastedBytes, plan.DataBytes)}) are needed by no version or stored twice";
        if (!plan.IsNeeded)
        {
            yield return $"Nothing to compact; {Units.Count(plan.VolumesLeft, "block volume stays", "block volumes stay")}";
            yield break;
        }

        yield return $"  To delete  {Units.Count(plan.Dead.Count, "block volume")} without a needed block";
        foreach (var line in Volumes(plan.Dead, all))
        {
            yield return line;
        }

        yield return $"  To rewrite {Units.Count(plan.Rewritten.Count, "block volume")}, into volumes of at most {Units.Bytes(plan.VolumeSizeBytes)}";
        foreach (var line in Volumes(plan.Rewritten, all))
        {
            yield return line;
        }

        if (plan.Rewritten.Any(volume => volume.WastedBytes == 0))
        {
            yield return "             Some only because they are small for --dblock-size, which should be that of the backup";
        }

        yield return $"  Left over  {Units.Count(plan.IndexVolumes.Count, "index volume")} to delete; "
            + Units.Count(plan.VolumesLeft, "block volume stays", "block volumes stay");
        yield return $"  About      {Units.Bytes(plan.BytesToFetch)} to fetch, {Units.Bytes(plan.BytesToWrite)} to write, "
            + $"{Units.Bytes(plan.BytesToDelete)} to delete: {Won(plan.BytesToDelete, plan.BytesToWrite)}";
    }

    public static void Write(TextWriter output, CompactReport report)
    {
        output.WriteLine($"Compacted in {Units.Duration(report.Elapsed)}: {Units.Count(report.BlocksMoved, "block")} moved to "
            + $"{Units.Count(report.VolumesWritten, "new block volume")}, {Units.Count(report.VolumesDeleted, "block volume")} deleted");
        output.WriteLine($"  Fetched   {Units.Bytes(report.BytesFetched)}");
        output.WriteLine($"  Written   {Units.Bytes(report.BytesWritten)}");
        output.WriteLine($"  Deleted   {Units.Bytes(report.BytesDeleted)}: {Won(report.BytesDeleted, report.BytesWritten)}");
    }

    /// <summary>What moves from volumes with another kind of compression can take more space than before.</summary>
    private static string Won(long deleted, long written) =>
        written > deleted ? $"{Units.Bytes(written - deleted)} more than before" : $"{Units.Bytes(deleted - written)} won";

    private static IEnumerable<string> Volumes(IReadOnlyList<CompactVolume> volumes, bool all)
    {
        foreach (var volume in volumes.Take(all ? volumes.Count : VolumesShown))
        {
            yield return $"             {volume.Name}  {Units.Bytes(volume.SizeBytes)}, {Units.Percent(volume.WastedBytes, volume.DataBytes)} waste";
        }

        if (!all && volumes.Count > VolumesShown)
        {
            yield return $"             and {Units.Number(volumes.Count - VolumesShown)} more; --verbose and --json have them all";
        }
    }

    public static JsonObject JsonOf(CompactPlan plan, CompactReport? report)
    {
        var issues = report?.Issues ?? plan.Issues;
        return Json.Outcome(ExitCodes.OfLosses(issues))
            .With(new() { ["dryRun"] = report is null && plan.IsNeeded })
            .With(Json.Of(plan))
            .With(report is null ? [] : Json.Of(report))
            .With(new() { ["issues"] = Json.Issues(issues) });
    }
}
