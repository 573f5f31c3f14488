namespace Restore.Cli.Commands;

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
        output.WriteLine(
            $"Compacted in {Units.Duration(report.Elapsed)}: {Units.Count(report.BlocksMoved, "block")} moved to "
                + $"{Units.Count(report.VolumesWritten, "new block volume")}, {Units.Count(report.VolumesDeleted, "block volume")} deleted"
        );
        output.WriteLine($"  Fetched   {Units.Bytes(report.BytesFetched)}");
        output.WriteLine($"  Written   {Units.Bytes(report.BytesWritten)}");
        output.WriteLine(
            $"  Deleted   {Units.Bytes(report.BytesDeleted)}: {Won(report.BytesDeleted, report.BytesWritten)}"
        );
    }

    /// <summary>
    /// What moves from volumes with another kind of compression can take more space than before.
    /// </summary>
    private static string Won(long deleted, long written) =>
        written > deleted
            ? $"{Units.Bytes(written - deleted)} more than before"
            : $"{Units.Bytes(deleted - written)} won";

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
