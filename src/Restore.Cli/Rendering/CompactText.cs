using Restore.Cli.Commands;

namespace Restore.Cli.Rendering;

/// <summary>What a compact would do, and what it did.</summary>
internal static class CompactText
{
    private const int VolumesShown = 20;

    /// <summary>The plan as lines.</summary>
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

        yield return $"  Left over  {Units.Count(plan.IndexVolumes.Count, "index volume")} to delete; "
            + Units.Count(plan.VolumesLeft, "block volume stays", "block volumes stay");
        yield return $"  About      {Units.Bytes(plan.BytesToFetch)} to fetch, {Units.Bytes(plan.BytesToWrite)} to write, "
            + $"{Units.Bytes(plan.BytesToDelete)} to delete: {Won(plan.BytesToDelete, plan.BytesToWrite)}";
    }

    public static void Write(CommandContext context, CompactPlan plan, CompactReport? report, bool isShown)
    {
        if (context.Request.Json)
        {
            WriteJson(context, plan, report);
            return;
        }

        foreach (var line in isShown ? [] : Lines(plan, context.Request.Verbose))
        {
            context.Output.WriteLine(SafeText.Escape(line));
        }

        if (report is not null)
        {
            context.Output.WriteLine($"Compacted in {Units.Duration(report.Elapsed)}: {Units.Count(report.BlocksMoved, "block")} moved to "
                + $"{Units.Count(report.VolumesWritten, "new block volume")}, {Units.Count(report.VolumesDeleted, "block volume")} deleted");
            context.Output.WriteLine($"  Fetched   {Units.Bytes(report.BytesFetched)}");
            context.Output.WriteLine($"  Written   {Units.Bytes(report.BytesWritten)}");
            context.Output.WriteLine($"  Deleted   {Units.Bytes(report.BytesDeleted)}: {Won(report.BytesDeleted, report.BytesWritten)}");
        }

        IssueText.Write(context.Output, report?.Issues ?? plan.Issues, context.Request.Verbose);
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

    private static void WriteJson(CommandContext context, CompactPlan plan, CompactReport? report) => Json.Write(context.Output, json =>
    {
        var issues = report?.Issues ?? plan.Issues;
        Json.Outcome(json, ExitCodes.OfLosses(issues));
        json.WriteBoolean("dryRun", report is null && plan.IsNeeded);
        json.WriteNumber("dataBytes", plan.DataBytes);
        json.WriteNumber("wastedBytes", plan.WastedBytes);
        Json.Strings(json, "dead", plan.Dead.Select(volume => volume.Name));
        Json.Strings(json, "rewritten", plan.Rewritten.Select(volume => volume.Name));
        Json.Strings(json, "indexVolumes", plan.IndexVolumes);
        json.WriteNumber("volumesLeft", plan.VolumesLeft);
        json.WriteNumber("bytesToFetch", plan.BytesToFetch);
        json.WriteNumber("bytesToWrite", plan.BytesToWrite);
        json.WriteNumber("bytesToDelete", plan.BytesToDelete);
        if (report is not null)
        {
            json.WriteNumber("volumesDeleted", report.VolumesDeleted);
            json.WriteNumber("volumesWritten", report.VolumesWritten);
            json.WriteNumber("blocksMoved", report.BlocksMoved);
            json.WriteNumber("bytesFetched", report.BytesFetched);
            json.WriteNumber("bytesWritten", report.BytesWritten);
            json.WriteNumber("bytesDeleted", report.BytesDeleted);
            Json.Seconds(json, "seconds", report.Elapsed);
        }

        Json.Issues(json, issues);
    });
}
