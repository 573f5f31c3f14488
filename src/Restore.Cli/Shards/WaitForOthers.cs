namespace Restore.Cli.Shards;

/// <summary>
/// Waits until other machines have made the plan and restored the shards. A scheduler that starts
/// everything at the same time needs no retries then.
/// </summary>
internal sealed class WaitForOthers(CommandContext context, SharedOptions shared)
{
    private static readonly TimeSpan Shortest = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(1);

    private readonly TimeSpan limit = TimeSpan.FromMinutes(context.Line.Value(shared.WaitMinutes) ?? 0);
    private readonly long start = context.Environment.Clock.GetTimestamp();

    /// <summary>Reads the plan, which is renamed into place when it is whole.</summary>
    public async Task<ShardedRestore> ForPlanAsync(string file)
    {
        await UntilAsync(
            () => Task.FromResult(File.Exists(file)),
            () => $"Waiting for the plan {SafeText.Escape(file)}"
        );
        return await ShardedRestore.LoadAsync(file);
    }

    /// <summary>Returns when all shards are restored, or the time is over.</summary>
    public Task ForShardsAsync(ShardedRestore restore, int count)
    {
        var open = 0;
        return UntilAsync(
            async () =>
                (open = (await restore.GetStatusAsync(count)).Count(shard => shard.State != ShardState.Done)) == 0,
            () => $"Waiting for {Units.Count(open, "shard")} of {count}"
        );
    }

    /// <summary>Looks again and again; the pauses are ten times as long as a look.</summary>
    private async Task UntilAsync(Func<Task<bool>> isThere, Func<string> text)
    {
        var clock = context.Environment.Clock;
        var shown = "";
        while (clock.GetElapsedTime(start) < limit)
        {
            var look = clock.GetTimestamp();
            if (await isThere())
            {
                return;
            }

            if (text() != shown)
            {
                shown = text();
                context.Messages.WriteLine(shown);
            }

            // A slow file system is asked less often, so that many waiting machines do not add to
            // its load.
            var pause = clock.GetElapsedTime(look) * 10;
            await Task.Delay(
                pause < Shortest ? Shortest
                    : pause > Longest ? Longest
                    : pause,
                clock,
                context.Environment.StopToken
            );
        }
    }
}
