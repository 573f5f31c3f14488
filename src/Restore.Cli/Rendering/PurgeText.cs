using Restore.Cli.Commands;

namespace Restore.Cli.Rendering;

/// <summary>Which entries a purge leaves out of file lists, and what it did.</summary>
internal static class PurgeText
{
    private const int PathsShown = 20;

    /// <summary>The plan as lines.</summary>
    public static IEnumerable<string> Lines(PurgePlan plan, CommandContext context)
    {
        yield return plan.Versions.Count == 0
            ? $"No version has an entry to leave out; {Units.Count(plan.LostBlocks, "block is", "blocks are")} in no volume"
            : $"{Units.Count(plan.LostBlocks, "block")} that {Units.Count(plan.Versions.Count, "version needs", "versions need")} "
                + (plan.LostBlocks == 1 ? "is in no volume" : "are in no volume");
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

    public static void Write(CommandContext context, PurgePlan plan, PurgeReport? report, bool isShown)
    {
        if (context.Request.Json)
        {
            WriteJson(context, plan, report);
            return;
        }

        foreach (var line in isShown ? [] : Lines(plan, context))
        {
            context.Output.WriteLine(line);
        }

        if (report is not null)
        {
            context.Output.WriteLine($"Purged in {Units.Duration(report.Elapsed)}: "
                + Units.Count(report.Replaced.Count, "file list was replaced", "file lists were replaced"));
            foreach (var list in report.Replaced)
            {
                context.Output.WriteLine($"            {SafeText.Escape(list.Made)} for {SafeText.Escape(list.Deleted)}");
            }
        }

        IssueText.Write(context.Output, report?.Issues ?? plan.Issues, context.Request.Verbose);
    }

    private static void WriteJson(CommandContext context, PurgePlan plan, PurgeReport? report) => Json.Write(context.Output, json =>
    {
        var issues = report?.Issues ?? plan.Issues;
        Json.Outcome(json, ExitCodes.OfLosses(issues));
        json.WriteBoolean("dryRun", report is null && plan.IsNeeded);
        json.WriteNumber("lostBlocks", plan.LostBlocks);
        json.WriteStartArray("versions");
        foreach (var version in plan.Versions)
        {
            json.WriteStartObject();
            Json.VersionFields(json, version.Version);
            json.WriteNumber("entries", version.Entries);
            json.WriteNumber("removed", version.Removed);
            json.WriteNumber("withoutMetadata", version.WithoutMetadata);
            Json.Strings(json, "removedPaths", version.RemovedPaths);
            Json.Strings(json, "pathsWithoutMetadata", version.PathsWithoutMetadata);
            json.WriteString("staysBecause", version.StaysBecause);
            json.WriteString("newFileList", report?.Replaced.FirstOrDefault(list => list.Deleted == version.Version.FileListName)?.Made);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteNumber("bytesFetched", report?.BytesFetched ?? plan.BytesFetched);
        json.WriteNumber("bytesWritten", report?.BytesWritten ?? 0);
        Json.Issues(json, issues);
    });
}
