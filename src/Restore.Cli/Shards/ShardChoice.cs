using System.CommandLine;
using System.Globalization;
using Restore.Cli.Commands;
using Restore.Cli.Options;

namespace Restore.Cli.Shards;

/// <summary>Which shard of a plan to restore.</summary>
/// <param name="shards">The number of shards.</param>
internal sealed class ShardOptions(Option<int?> shards) : OptionGroup
{
    /// <summary>
    /// The variable in which a process that restores all shards gives one to each of its own. It wins over everything: else a file with options that
    /// says "all" would make them do the same.
    /// </summary>
    public const string OwnVariable = "RESTORE_SHARD";

    private readonly Option<string?> shard = Declare.Text(
        "--shard", "I/N", "SLURM_ARRAY_TASK_ID, or JOB_COMPLETION_INDEX + 1",
        "The shard to restore, from 1/N to N/N; I alone if the plan has the number of shards; all: all of them, as processes of this machine");

    private readonly Option<int?> jobs = Declare.Count("--jobs", 1, 256, "2", "With --shard=all: how many shards at the same time");

    public override string Title => "Shards";

    public override IReadOnlyList<Option> Options => [shard, shards, jobs];

    public int JobsOf(CommandLine line) => line.Value(jobs) ?? 2;

    /// <summary>The shard, and the number of shards; null for all shards, or for the number of the plan.</summary>
    /// <exception cref="UsageException">It is not known which one.</exception>
    public (int? Shard, int? Count) Of(CommandLine line)
    {
        var count = line.Value(shards);
        if ((line.Environment.Variable(OwnVariable) ?? line.Value(shard)) is not { } given)
        {
            return FromScheduler(line.Environment) is { } own
                ? (own.Shard, count ?? own.Count)
                : throw new UsageException("--shard is missing: which shard to restore, such as 3/8");
        }

        if (given == "all")
        {
            return (null, count);
        }

        var numbers = given.Split('/').Select(Number).ToList();
        return numbers.Count > 2 || numbers.Contains(null) ? throw new UsageException($"--shard: '{given}' cannot be used; give a shard such as 3/8, or all")
            : numbers.Count == 2 && count is not null && count != numbers[1]
                ? throw new UsageException($"--shard says that there are {numbers[1]} shards, and --shards that there are {count}")
                : (numbers[0], numbers.ElementAtOrDefault(1) ?? count);
    }

    /// <summary>What a scheduler says. An array of Slurm counts from 1 on; if it has only some of the shards, the plan knows their number.</summary>
    private static (int Shard, int? Count)? FromScheduler(CliEnvironment environment) =>
        Number(environment.Variable("SLURM_ARRAY_TASK_ID")) is { } task ? (task, null)
        : Number(environment.Variable("JOB_COMPLETION_INDEX")) is { } index ? (index + 1, null)
        : null;

    private static int? Number(string? text) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : null;
}

/// <summary>How many shards a plan has.</summary>
internal sealed class ShardCountOptions(Option<int?> shards) : OptionGroup
{
    public override string Title => "Shards";

    public override IReadOnlyList<Option> Options => [shards];

    public int? Of(CommandLine line) => line.Value(shards);
}

/// <summary>How long to wait for what other machines make.</summary>
internal sealed class WaitOptions : OptionGroup
{
    private readonly Option<int?> wait = Declare.Count(
        "--wait", 0, 100_000, "0", "Wait so many minutes until the plan is there, and the last step until all shards are restored");

    public override string Title => "Waiting";

    public override IReadOnlyList<Option> Options => [wait];

    public WaitForOthers Of(CommandContext context) => new(context, TimeSpan.FromMinutes(context.Line.Value(wait) ?? 0));
}
