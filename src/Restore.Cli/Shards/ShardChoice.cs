namespace Restore.Cli.Shards;

/// <summary>Which shard of a plan to restore.</summary>
internal static class ShardChoice
{
    /// <summary>
    /// The variable in which a process that restores all shards gives one to each of its own. It
    /// wins over everything: else a file with options that says "all" would make them do the same.
    /// </summary>
    public const string OwnVariable = "RESTORE_SHARD";

    /// <summary>
    /// The shard, and the number of shards; null for all shards, or for the number of the plan.
    /// </summary>
    /// <exception cref="UsageException">No option or scheduler names a shard.</exception>
    public static (int? Shard, int? Count) Of(string? option, int? count, CliEnvironment environment)
    {
        if ((environment.Variable(OwnVariable) ?? option) is not { } given)
        {
            return FromScheduler(environment) is { } own
                ? (own.Shard, count ?? own.Count)
                : throw new UsageException("--shard is missing: which shard to restore, such as 3/8");
        }

        if (given == "all")
        {
            return (null, count);
        }

        var numbers = given.Split('/').Select(Number).ToList();
        return numbers.Count > 2 || numbers.Contains(null)
                ? throw new UsageException($"--shard: '{given}' cannot be used; give a shard such as 3/8, or all")
            : numbers.Count == 2 && count is not null && count != numbers[1]
                ? throw new UsageException(
                    $"--shard says that there are {numbers[1]} shards, and --shards that there are {count}"
                )
            : (numbers[0], numbers.ElementAtOrDefault(1) ?? count);
    }

    /// <summary>
    /// What a scheduler says. An array of Slurm counts from 1 on; if it has only some of the
    /// shards, the plan knows their number.
    /// </summary>
    private static (int Shard, int? Count)? FromScheduler(CliEnvironment environment) =>
        Number(environment.Variable("SLURM_ARRAY_TASK_ID")) is { } task ? (task, null)
        : Number(environment.Variable("JOB_COMPLETION_INDEX")) is { } index ? (index + 1, null)
        : null;

    private static int? Number(string? text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : null;
}
