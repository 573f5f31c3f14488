using Restore.Shards;

namespace Restore.Tests.Shards;

/// <summary>
/// A backup with a large file, a saved plan of it, and a target that shards write to.
/// </summary>
internal sealed class ShardRig : IDisposable
{
    private readonly TempFolder folder = new();
    private RestorePlan? whole;

    private ShardRig(TreeBackup tree) => Tree = tree;

    public TreeBackup Tree { get; }

    public string Target => folder.Root;

    public string PlanFile => Path.Join(folder.Path, "plan.rplan");

    public ShardedRestore Restore => ShardedRestore.Load(PlanFile);

    /// <summary>A place for something else.</summary>
    public string In(string name) => Path.Join(folder.Path, name);

    /// <summary>Writes the backup and the plan.</summary>
    /// <param name="shards">The number of shards; null leaves it open.</param>
    /// <param name="lostVolumes">How many block volumes are removed before the plan is
    /// made.</param>
    /// <param name="lostLater">How many block volumes are removed after the plan is made.</param>
    /// <param name="options">Changes the options.</param>
    public static async Task<ShardRig> WriteAsync(
        int? shards = 7,
        int lostVolumes = 0,
        int lostLater = 0,
        Func<RestoreOptions, RestoreOptions>? options = null
    )
    {
        ShardRig rig = new(
            await TreeBackup.WriteAsync(files: 40, largeFiles: 3, volumeSizeBytes: 256 << 10, hugeBytes: 5_000_000)
        );
        rig.Lose(lostVolumes);
        await rig.PlanAsync(shards, options);
        rig.Lose(lostLater);
        return rig;
    }

    public async Task PlanAsync(int? shards, Func<RestoreOptions, RestoreOptions>? options = null)
    {
        await using Backup backup = await OpenAsync();
        RestoreOptions usual = new() { Target = Target };
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], options?.Invoke(usual) ?? usual);
        await using FileStream file = File.Create(PlanFile);
        (shards is int count ? plan.InShards(count) : plan).Save(file);
        whole = await backup.PlanAsync(backup.Versions[0], plan.Options with { Target = In("whole") });
    }

    /// <summary>How shards and the last step run.</summary>
    public ExecuteOptions Execution { get; set; } = new() { SkipFlush = true };

    public Task<Backup> OpenAsync() => Backup.OpenAsync(Tree.Location);

    /// <summary>Restores a shard.</summary>
    /// <param name="shard">Its number.</param>
    /// <param name="stopAfter">Ends it at once after so many entries, as a kill would: nothing is
    /// cleaned up.</param>
    /// <param name="count">The number of shards.</param>
    /// <param name="timing">The times of claims.</param>
    /// <returns>The report; null if it was ended.</returns>
    public async Task<RestoreReport?> RunAsync(
        int shard,
        int? stopAfter = null,
        int? count = null,
        LeaseTiming? timing = null
    )
    {
        await using Backup backup = await OpenAsync();
        using CancellationTokenSource ending = new();
        Countdown entries = new(stopAfter ?? int.MaxValue, ending);
        try
        {
            return await Restore
                .With(timing ?? LeaseTiming.Default)
                .RunAsync(backup, shard, count, Execution with { Entries = entries }, ending.Token)
                .WaitAsync(TimeSpan.FromMinutes(1));
        }
        catch (OperationCanceledException)
        {
            return null;
        }
        finally
        {
            Assert.Equal(0, backup.Pool.OutstandingBuffers);
        }
    }

    public async Task<RestoreReport> FinishAsync() =>
        await Restore.FinishAsync(options: Execution).WaitAsync(TimeSpan.FromMinutes(1));

    /// <summary>Restores into another folder, by one run, what the plan has.</summary>
    public async Task<RestoreReport> RunWholeAsync()
    {
        await using Backup backup = await OpenAsync();
        return await backup.ExecuteAsync(whole!, new ExecuteOptions { SkipFlush = true });
    }

    public void AssertRestored()
    {
        Tree.AssertRestored(Target);
        foreach (string path in Directory.EnumerateDirectories(Tree.Source))
        {
            string restored = Path.Join(Target, Path.GetFileName(path));
            Assert.Equal(Directory.GetLastWriteTimeUtc(path), Directory.GetLastWriteTimeUtc(restored));
        }
    }

    public void Lose(int volumes)
    {
        foreach (
            string volume in Directory
                .GetFiles(Tree.Location, "*.dblock.zip")
                .Order(StringComparer.Ordinal)
                .Take(volumes)
        )
        {
            File.Delete(volume);
        }
    }

    public void Dispose()
    {
        Tree.Dispose();
        folder.Dispose();
    }

    private sealed class Countdown(int left, CancellationTokenSource ending) : IProgress<EntryResult>
    {
        public void Report(EntryResult value)
        {
            if (Interlocked.Decrement(ref left) == 0)
            {
                ending.Cancel();
            }
        }
    }
}
