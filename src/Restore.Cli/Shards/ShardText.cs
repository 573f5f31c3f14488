namespace Restore.Cli.Shards;

/// <summary>A saved plan and the state of its shards.</summary>
internal static class ShardText
{
    public static void Write(TextWriter output, RestorePlan plan, IReadOnlyList<ShardStatus> shards, TimeProvider clock)
    {
        output.WriteLine(
            $"Plan of {ReportText.Versions(plan.Version, plan.Drill, clock)} to {PlanText.Place(plan.Target)}"
        );
        output.WriteLine(
            $"  Selected  {PlanText.Entries(plan.Files, plan.Folders, plan.Symlinks)}, {Units.Bytes(plan.Bytes)}"
        );
        output.WriteLine(
            $"  From      {SafeText.Escape(plan.Location)} ({SafeText.Escape(plan.Version.FileListName)})"
        );
        SourcesText.Write(output, plan.Sources, clock, ReportSize.All);
        output.WriteLine(
            $"  To fetch  {Units.Bytes(plan.BytesToFetch)} of {Units.Count(plan.Volumes.Count, "volume")}"
        );
        output.WriteLine(
            $"  Shards    {plan.Shards?.ToString(System.Globalization.CultureInfo.InvariantCulture) ?? "as many as 'restore run' says"}"
        );
        foreach (var shard in shards)
        {
            var failure = shard.Failure is null ? "" : $": {SafeText.Escape(shard.Failure)}";
            output.WriteLine($"  {shard.Number, 8}  {State(shard)}{failure}");
        }

        IssueText.Write(output, plan.Issues, ReportSize.All, sound: "nothing is known to be lost");
    }

    public static JsonObject JsonOf(RestorePlan plan, IReadOnlyList<ShardStatus> shards)
    {
        var json = new JsonObject
        {
            ["location"] = plan.Location,
            ["fileList"] = plan.Version.FileListName,
            ["time"] = plan.Version.Time,
            ["target"] = plan.Target,
            ["files"] = plan.Files,
            ["folders"] = plan.Folders,
            ["links"] = plan.Symlinks,
            ["bytes"] = plan.Bytes,
            ["bytesToFetch"] = plan.BytesToFetch,
            ["volumes"] = plan.Volumes.Count,
        };
        return json.With(plan.Shards is { } count ? new() { ["shards"] = count } : [])
            .With(
                new()
                {
                    ["states"] = Json.Array(
                        shards,
                        shard =>
                            new JsonObject { ["shard"] = shard.Number, ["state"] = State(shard) }.With(
                                shard.Failure is null ? [] : new() { ["failure"] = shard.Failure }
                            )
                    ),
                }
            );
    }

    private static string State(ShardStatus shard) =>
        shard.State switch
        {
            ShardState.Done => "done",
            ShardState.Failed => "failed",
            _ => "open",
        };
}
