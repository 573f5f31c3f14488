using System.Text.Json;
using Restore.Cli.Rendering;

namespace Restore.Cli.Shards;

/// <summary>A saved plan and the state of its shards.</summary>
internal static class ShardText
{
    public static void Write(TextWriter output, RestorePlan plan, IReadOnlyList<ShardStatus> shards, TimeProvider clock)
    {
        output.WriteLine($"Plan of {ReportText.Versions(plan.Version, plan.Drill, clock)} to {PlanText.Place(plan.Target)}");
        output.WriteLine($"  Selected  {PlanText.Entries(plan.Files, plan.Folders, plan.Symlinks)}, {Units.Bytes(plan.Bytes)}");
        output.WriteLine($"  From      {SafeText.Escape(plan.Location)} ({SafeText.Escape(plan.Version.FileListName)})");
        output.WriteLine($"  To fetch  {Units.Bytes(plan.BytesToFetch)} of {Units.Count(plan.Volumes.Count, "volume")}");
        output.WriteLine($"  Shards    {plan.Shards?.ToString(System.Globalization.CultureInfo.InvariantCulture) ?? "as many as 'restore run' says"}");
        foreach (var shard in shards)
        {
            var failure = shard.Failure is null ? "" : $": {SafeText.Escape(shard.Failure)}";
            output.WriteLine($"  {shard.Number,8}  {State(shard)}{failure}");
        }

        IssueText.Write(output, plan.Issues, all: true, sound: "nothing is known to be lost");
    }

    public static void Write(Utf8JsonWriter json, RestorePlan plan, IReadOnlyList<ShardStatus> shards)
    {
        json.WriteString("location", plan.Location);
        json.WriteString("fileList", plan.Version.FileListName);
        json.WriteString("time", plan.Version.Time);
        json.WriteString("target", plan.Target);
        json.WriteNumber("files", plan.Files);
        json.WriteNumber("folders", plan.Folders);
        json.WriteNumber("links", plan.Symlinks);
        json.WriteNumber("bytes", plan.Bytes);
        json.WriteNumber("bytesToFetch", plan.BytesToFetch);
        json.WriteNumber("volumes", plan.Volumes.Count);
        if (plan.Shards is { } count)
        {
            json.WriteNumber("shards", count);
        }

        json.WriteStartArray("states");
        foreach (var shard in shards)
        {
            json.WriteStartObject();
            json.WriteNumber("shard", shard.Number);
            json.WriteString("state", State(shard));
            if (shard.Failure is not null)
            {
                json.WriteString("failure", shard.Failure);
            }

            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static string State(ShardStatus shard) => shard.State switch
    {
        ShardState.Done => "done",
        ShardState.Failed => "failed",
        _ => "open",
    };
}
