using System.Runtime.Versioning;
using Restore.Tests.Cli;
using Restore.Tests.Restoring.Shards;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Deploy;

/// <summary>The script for Slurm in a real one.</summary>
[NeedsPrograms(".ci/install-packages", "munged", "slurmctld", "slurmd")]
[SupportedOSPlatform("linux")]
public sealed class SlurmTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(150);

    [Fact]
    public async Task An_array_of_Slurm_restores_the_source_although_a_task_is_cancelled_and_requeued()
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "Only the root user can start Slurm as this test does.");
        CancellationToken stop = TestContext.Current.CancellationToken;
        using ShardRig rig = await ShardRig.WriteAsync(shards: 4);
        using SlurmCluster cluster = await SlurmCluster.StartAsync(stop);
        string report = rig.PlanFile + ".report.json";
        string claim = rig.In("plan.rplan.shards/2.claim");

        string job = await SubmitAsync(cluster, rig);
        await cluster.UntilAsync(() => Task.FromResult(HasStarted(rig, shard: 2)), Limit, stop);
        Assert.Equal(0, (await cluster.RunAsync("scancel", $"{job}_2")).ExitCode);
        await cluster.UntilAsync(async () => (await cluster.RunAsync("scontrol", "requeue", $"{job}_2")).ExitCode == 0, Limit, stop);
        Assert.False(File.Exists(rig.In("plan.rplan.shards/2.done")), "The task had ended before it was cancelled");

        // Slurm would start the requeued task after two minutes.
        await cluster.UntilAsync(
            async () =>
            {
                await cluster.RunAsync("scontrol", "update", $"JobId={job}_2", "StartTime=now");
                return File.Exists(report);
            },
            Limit,
            stop);
        await cluster.UntilAsync(async () => (await cluster.RunAsync("squeue", "-h")).Output.Length == 0, Limit, stop);

        Assert.StartsWith("2 ended", File.ReadAllText(claim), StringComparison.Ordinal);
        Assert.Contains("Restored ", File.ReadAllText(Path.Join(cluster.Folder, $"restore-{job}-finish.out")), StringComparison.Ordinal);
        rig.AssertRestored();
    }

    /// <summary>Whether a shard has begun to write.</summary>
    private static bool HasStarted(ShardRig rig, int shard) =>
        Directory.Exists(rig.Target) && Directory.EnumerateFiles(rig.Target, $".restore-????????{shard:x4}*.unfinished").Any();

    private static async Task<string> SubmitAsync(SlurmCluster cluster, ShardRig rig)
    {
        // The shards are slow, so that one can be cancelled in the middle.
        string program = Path.Join(cluster.Folder, "restore");
        File.WriteAllText(program, $$"""
            #!/bin/sh
            [ "$1" = run ] && set -- "$@" --throttle-download=500kb
            exec {{string.Join(' ', ProgramRun.CommandOf().Select(word => $"'{word}'"))}} "$@"
            """);
        File.SetUnixFileMode(program, (UnixFileMode)0x1ED);
        Dictionary<string, string> variables = new() { ["PLAN"] = rig.PlanFile, ["RESTORE"] = program };
        (int code, string output) = await cluster.RunAsync(
            variables, Path.Join(Fixtures.RepositoryRoot(), "deploy", "slurm", "restore.sbatch"), "--array=1-4");
        Assert.True(code == 0, output);
        return output.Split(' ', ',')[3];
    }
}
