namespace Restore.Cli.Shards;

/// <summary><c>restore run</c>: restores one shard of a saved plan, or all of them as processes of this machine.</summary>
internal sealed class RunCommand(SharedOptions shared) : ICliCommand
{
    private readonly Option<string?> shardName = Declare.Text(
        "--shard", "I/N", "SLURM_ARRAY_TASK_ID, or JOB_COMPLETION_INDEX + 1",
        "The shard to restore, from 1/N to N/N; I alone if the plan has the number of shards; all: all of them, as processes of this machine");

    private readonly Option<int?> jobs = Declare.Count("--jobs", 1, 256, "2", "With --shard=all: how many shards at the same time");

    public string Name => "run";

    public string Summary => "restore a shard of a saved plan";

    public IReadOnlyList<Operand> Operands => [Operand.PlanFile, Operand.OtherPlace];

    public IReadOnlyList<OptionGroup> Options =>
    [
        new("Shards", [shardName, shared.Shards, jobs]), shared.Waiting, shared.Writing, shared.Access, shared.Tuning, shared.Output, shared.Program,
    ];

    public IReadOnlyList<string> Examples =>
        ["restore run /mnt/shared/job.rplan --shard=3/8", "restore run /mnt/shared/job.rplan --shard=all --shards=8 --jobs=4"];

    public bool HasNoDryRun => true;

    public bool EndsWithReport => true;

    public async Task<int> RunAsync(CommandContext context)
    {
        var restore = await new WaitForOthers(context, shared).ForPlanAsync(Operand.PlanFileOf(context.Request));
        TargetPlace.CheckFiles(context.Request, context.Request.Operands.ElementAtOrDefault(1) ?? restore.Plan.Location);
        var (shard, count) = ShardChoice.Of(context.Line.Value(shardName), context.Line.Value(shared.Shards), context.Environment);
        var all = restore.CountOf(count);
        return shard is null ? await RunAllAsync(context, restore, all) : await RunAsync(context, restore, shard.Value, all);
    }

    private static Task<int> RunAsync(CommandContext context, ShardedRestore restore, int shard, int count)
    {
        var given = context.Request.Operands.ElementAtOrDefault(1);
        if (given is null && !StorageLocation.IsOnlyName(restore.Plan.Location))
        {
            throw new UsageException(
                "The plan gives rclone a remote with settings of its own, and such settings can start programs."
                    + " If you trust the plan, give the location of the backup after it");
        }

        var request = context.Request with { Storage = given ?? restore.Plan.Location };
        context.Secrets.Add(request);
        return (context with { Request = request }).WithBackupAsync(async backup =>
        {
            var wasDone = restore.Look(count).Any(known => known.Number == shard && known is { State: ShardState.Done, IsIncomplete: false });
            var report = await context.ShowAsync(
                view =>
                {
                    var options = request.Execution with { Progress = view, StopToken = context.Environment.StopToken };
                    return restore.RunAsync(backup, shard, count, options, context.Environment.CancellationToken);
                },
                verifyOnly: false);
            context.Write(() => Json.SummaryOf(report), output =>
            {
                var what = $"{Units.Count(report.FilesRestored, "file")}, {Units.Bytes(report.BytesWritten)} written";
                output.WriteLine($"Shard {shard} of {count}{(wasDone ? " was done before" : "")}: {what}");
                IssueText.Write(output, report.Issues, context.ReportSize);
            });
            return ExitCodes.Of(report);
        });
    }

    /// <summary>
    /// Restores all shards as processes of their own, a few at the same time, and then the last step. Shards that are done cost nothing.
    /// </summary>
    private async Task<int> RunAllAsync(CommandContext context, ShardedRestore restore, int count)
    {
        var processes = new ShardProcesses(context, restore, count);
        for (var isAgain = false; ; isAgain = true)
        {
            try
            {
                return await processes.RunAsync(context.Line.Value(jobs) ?? 2, context.Request.Backup.Passphrase)
                    ?? await FinishCommand.FinishAsync(context, restore, count, new RunFiles(context));
            }
            catch (RestoreException failure) when (failure.Code == RestoreErrorCode.ShardTargetOther && !isAgain)
            {
                // On one machine, the files of a shard are not elsewhere: they were removed since it was restored. It is open now.
                context.Messages.WriteLine(failure.What);
            }
        }
    }
}

/// <summary><c>restore finish</c>: the last step of a restore in shards.</summary>
internal sealed class FinishCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "finish";

    public string Summary => "the last step, when all shards are restored";

    public IReadOnlyList<Operand> Operands => [Operand.PlanFile];

    public IReadOnlyList<OptionGroup> Options => [new("Shards", [shared.Shards]), shared.Waiting, shared.Writing, shared.Output, shared.Report, shared.Program];

    public IReadOnlyList<string> Examples => ["restore finish /mnt/shared/job.rplan", "restore finish /mnt/shared/job.rplan --report=/mnt/shared/job.html"];

    public bool HasNoDryRun => true;

    public bool EndsWithReport => true;

    public async Task<int> RunAsync(CommandContext context)
    {
        var files = new RunFiles(context);
        files.Check();
        var waiting = new WaitForOthers(context, shared);
        var restore = await waiting.ForPlanAsync(Operand.PlanFileOf(context.Request));
        files.Check(restore.Plan);
        var count = restore.CountOf(context.Line.Value(shared.Shards));
        await waiting.ForShardsAsync(restore, count);
        return await FinishAsync(context, restore, count, files);
    }

    /// <summary>Finishes, and shows the report.</summary>
    public static async Task<int> FinishAsync(CommandContext context, ShardedRestore restore, int count, RunFiles files)
    {
        RestoreReport report;
        try
        {
            await using var view = context.OpenProgressView(verifyOnly: false);
            var options = context.Request.Execution with { Progress = view };
            report = await restore.FinishAsync(count, options, context.Environment.Clock, context.Environment.StopToken);
        }
        catch (RestoreException failure) when (failure.Code == RestoreErrorCode.ShardsMissing)
        {
            foreach (var shard in restore.Look(count).Where(shard => shard.State != ShardState.Done))
            {
                context.Messages.WriteLine($"restore run {ShellText.Quoted(restore.PlanFile)} --shard={shard.Number}/{count}");
            }

            throw;
        }

        var code = files.Write(report);
        context.Write(
            () => Json.SummaryOf(report), output => ReportText.Write(output, report, context.Environment.Clock, context.ReportSize));
        return code;
    }
}

/// <summary>Waits until other machines have made the plan and restored the shards. A scheduler that starts everything at once needs no retries then.</summary>
internal sealed class WaitForOthers(CommandContext context, SharedOptions shared)
{
    private static readonly TimeSpan Shortest = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(1);

    private readonly TimeSpan limit = TimeSpan.FromMinutes(context.Line.Value(shared.WaitMinutes) ?? 0);
    private readonly long start = context.Environment.Clock.GetTimestamp();

    /// <summary>Reads the plan, which is renamed into place when it is whole.</summary>
    public async Task<ShardedRestore> ForPlanAsync(string file)
    {
        await UntilAsync(() => File.Exists(file), () => $"Waiting for the plan {SafeText.Escape(file)}");
        return ShardedRestore.Load(file);
    }

    /// <summary>Returns when all shards are restored, or the time is over.</summary>
    public Task ForShardsAsync(ShardedRestore restore, int count)
    {
        var open = 0;
        return UntilAsync(
            () => (open = restore.Look(count).Count(shard => shard.State != ShardState.Done)) == 0,
            () => $"Waiting for {Units.Count(open, "shard")} of {count}");
    }

    /// <summary>Looks again and again; the pauses are ten times as long as a look.</summary>
    private async Task UntilAsync(Func<bool> isThere, Func<string> text)
    {
        var clock = context.Environment.Clock;
        var shown = "";
        while (clock.GetElapsedTime(start) < limit)
        {
            var look = clock.GetTimestamp();
            if (isThere())
            {
                return;
            }

            if (text() != shown)
            {
                shown = text();
                context.Messages.WriteLine(shown);
            }

            var pause = clock.GetElapsedTime(look) * 10;
            await Task.Delay(pause < Shortest ? Shortest : pause > Longest ? Longest : pause, clock, context.Environment.StopToken);
        }
    }
}

/// <summary>Which shard of a plan to restore.</summary>
internal static class ShardChoice
{
    /// <summary>
    /// The variable in which a process that restores all shards gives one to each of its own. It wins over everything: else a file with options that
    /// says "all" would make them do the same.
    /// </summary>
    public const string OwnVariable = "RESTORE_SHARD";

    /// <summary>The shard, and the number of shards; null for all shards, or for the number of the plan.</summary>
    /// <exception cref="UsageException">It is not known which one.</exception>
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
