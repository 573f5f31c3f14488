using System.Diagnostics;
using Restore.Interop;

namespace Restore.Cli.Shards;

/// <summary>
/// The shards of a plan as processes of this machine. They may be killed at any time, so an
/// interruption ends them immediately.
/// </summary>
internal sealed class ShardProcesses(CommandContext context, ShardedRestore restore, int count)
{
    // What belongs to this process alone; each takes a value.
    private static readonly string[] OwnOptions = ["--shard", "--shards", "--jobs"];

    private readonly Lock gate = new();

    /// <summary>Restores the shards that are not done, or lack something.</summary>
    /// <param name="jobs">How many at the same time.</param>
    /// <param name="passphrase">The passphrase; it is given in a variable, which others cannot
    /// see.</param>
    /// <returns>The exit code of the first shard that failed; null if all succeeded.</returns>
    public async Task<int?> RunAsync(int jobs, string? passphrase)
    {
        var status = await restore.GetStatusAsync(count);
        var open = status
            .Where(shard => shard.State != ShardState.Done || shard.IsIncomplete)
            .Select(shard => shard.Number);
        int? failed = null;
        var options = new ParallelOptions
        {
            MaxDegreeOfParallelism = jobs,
            CancellationToken = context.Environment.StopToken,
        };
        await Parallel.ForEachAsync(
            open,
            options,
            async (shard, stop) =>
            {
                var code = await RunAsync(shard, passphrase, stop);

                // A shard with losses is done: the last step reports what is lost. The other shards
                // run on after a failure, because they need not be restored again then.
                if (code is not ExitCodes.Complete and not ExitCodes.Incomplete)
                {
                    lock (gate)
                    {
                        failed ??= code;
                    }
                }
            }
        );
        return failed;
    }

    private async Task<int> RunAsync(int shard, string? passphrase, CancellationToken stop)
    {
        await using var process = new ChildProcess(Command(shard, passphrase), readsErrors: false);
        await using var ending = stop.Register(process.Kill);

        // Several processes cannot share one input, and none of them may ask anything.
        process.Input.Close();
        await process.IsDrainedAsync(
            Task.WhenAll(
                CopyAsync(process.Output, context.Output.WriteLine),
                CopyAsync(process.Errors, context.Messages.WriteLine)
            )
        );
        var code = await process.ExitCodeAsync(CancellationToken.None);
        stop.ThrowIfCancellationRequested();
        return code;
    }

    private ProcessStartInfo Command(int shard, string? passphrase)
    {
        var start = OwnProgram.StartInfo(OwnOptions, passphrase);
        start.Environment[ShardChoice.OwnVariable] = string.Create(CultureInfo.InvariantCulture, $"{shard}/{count}");
        return start;
    }

    private async Task CopyAsync(StreamReader from, Action<string> write)
    {
        while (await from.ReadLineAsync() is { } line)
        {
            lock (gate)
            {
                write(line);
            }
        }
    }
}
