namespace Restore.Cli.Commands;

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
            var fate = version.StaysBecause is { } reason
                ? $"stays as it is: {reason}"
                : $"{Units.Count(version.Removed, "entry goes", "entries go")}, "
                    + $"{Units.Count(version.WithoutMetadata, "loses its metadata", "lose their metadata")}, {Units.Number(version.Entries)} stay";
            yield return $"{version.Version.Index, 4}  {Units.Time(version.Version.Time, context.Environment.Clock)}  {SafeText.Escape(fate)}";
            string[] paths =
            [
                .. version.RemovedPaths,
                .. version.PathsWithoutMetadata.Select(path => path + "  (its metadata)"),
            ];
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
        output.WriteLine(
            $"Purged in {Units.Duration(report.Elapsed)}: "
                + Units.Count(report.Replaced.Count, "file list was replaced", "file lists were replaced")
        );
        foreach (var list in report.Replaced)
        {
            output.WriteLine($"            {SafeText.Escape(list.Made)} for {SafeText.Escape(list.Deleted)}");
        }
    }

    public static JsonObject JsonOf(PurgePlan plan, PurgeReport? report)
    {
        var issues = report?.Issues ?? plan.Issues;
        return Json.Outcome(ExitCodes.OfLosses(issues))
            .With(
                new()
                {
                    ["dryRun"] = report is null && plan.IsNeeded,
                    ["lostBlocks"] = plan.LostBlocks,
                    ["lostListsKnown"] = plan.LostListsKnown,
                    ["versions"] = Json.Array(
                        plan.Versions,
                        version =>
                            Json.Of(version)
                                .WithVersion()
                                .With(
                                    new()
                                    {
                                        ["newFileList"] = report
                                            ?.Replaced.FirstOrDefault(list =>
                                                list.Deleted == version.Version.FileListName
                                            )
                                            ?.Made,
                                    }
                                )
                    ),
                    ["bytesFetched"] = report?.BytesFetched ?? plan.BytesFetched,
                    ["bytesWritten"] = report?.BytesWritten ?? 0,
                    ["issues"] = Json.Issues(issues),
                }
            );
    }
}
