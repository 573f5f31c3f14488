using Restore.Cli.Commands;

namespace Restore.Cli.Rendering;

/// <summary>Which versions go, and what was deleted.</summary>
internal static class DeletionText
{
    /// <summary>The plan as lines: every version, newest first, with the reason.</summary>
    public static IEnumerable<string> Lines(DeletionPlan plan, TimeProvider clock)
    {
        foreach (var fate in plan.Versions)
        {
            var partial = fate.IsFull ? "" : " (partial)";
            yield return $"{fate.Version.Index,4}  {Units.Time(fate.Version.Time, clock)}  {(fate.IsDeleted ? "goes " : "stays")}  {fate.Reason}{partial}";
        }

        var count = plan.Deleted.Count();
        yield return count == 0
            ? $"No version goes; {Units.Count(plan.Versions.Count, "version stays", "versions stay")}"
            : $"{Units.Count(count, "version goes", "versions go")} with {Units.Bytes(plan.Bytes)} of file lists; "
                + Units.Count(plan.Versions.Count - count, "version stays", "versions stay");
    }

    public static void Write(CommandContext context, DeletionPlan plan, DeletionReport? report, bool isShown)
    {
        if (context.Request.Json)
        {
            Json.Write(context.Output, json =>
            {
                json.WriteBoolean("dryRun", report is null);
                json.WriteStartArray("versions");
                foreach (var fate in plan.Versions)
                {
                    json.WriteStartObject();
                    Json.VersionFields(json, fate.Version);
                    json.WriteBoolean("full", fate.IsFull);
                    json.WriteBoolean("goes", fate.IsDeleted);
                    json.WriteString("reason", fate.Reason);
                    json.WriteEndObject();
                }

                json.WriteEndArray();
                Json.Strings(json, "deleted", report?.Deleted ?? []);
                Json.Issues(json, plan.Issues);
            });
            return;
        }

        foreach (var line in isShown ? [] : Lines(plan, context.Environment.Clock))
        {
            context.Output.WriteLine(line);
        }

        if (report is not null)
        {
            context.Output.WriteLine($"Deleted {Units.Count(report.Deleted.Count, "version")}, {Units.Number(report.VersionsLeft)} left. "
                + "The data that only they needed goes with 'restore compact'");
        }

        IssueText.WriteWarnings(context.Output, plan.Issues, context.Request.Verbose);
    }
}
