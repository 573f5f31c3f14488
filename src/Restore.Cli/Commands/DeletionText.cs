namespace Restore.Cli.Commands;

internal static class DeletionText
{
    public static IEnumerable<string> Lines(DeletionPlan plan, TimeProvider clock)
    {
        foreach (var fate in plan.Versions)
        {
            var partial = fate.IsFull ? "" : " (partial)";
            yield return $"{fate.Version.Index, 4}  {Units.Time(fate.Version.Time, clock)}  {(fate.IsDeleted ? "goes " : "stays")}  {fate.Reason}{partial}";
        }

        var count = plan.Deleted.Count();
        yield return count == 0
            ? $"No version goes; {Units.Count(plan.Versions.Count, "version stays", "versions stay")}"
            : $"{Units.Count(count, "version goes", "versions go")} with {Units.Bytes(plan.Bytes)} of file lists; "
                + Units.Count(plan.Versions.Count - count, "version stays", "versions stay");
    }

    public static JsonObject JsonOf(DeletionPlan plan, DeletionReport? report) =>
        new()
        {
            ["dryRun"] = report is null,
            ["versions"] = Json.Array(plan.Versions, fate => Json.Of(fate).WithVersion()),
            ["deleted"] = Json.Strings(report?.Deleted ?? []),
            ["issues"] = Json.Issues(plan.Issues),
        };
}
