using System.Runtime.Versioning;
using Restore.Tests.Cli;
using Restore.Tests.Shards;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Deploy;

/// <summary>The script for Slurm in a real one.</summary>
[NeedsPrograms(".ci/install-packages", "munged", "slurmctld", "slurmd")]
[SupportedOSPlatform("linux")]
public sealed class SlurmTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(150);

    // The second attempt waits for the first one, which may be on its way out: at most until its
    // silence is that of a frozen process.
    private static readonly TimeSpan LimitOfSecond = TimeSpan.FromMinutes(4);

    [Fact]
    public async Task An_array_of_Slurm_restores_the_source_although_a_task_is_cancelled_and_requeued()
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "Only the root user can start Slurm as this test does.");
        CancellationToken stop = TestContext.Current.CancellationToken;
        using ShardRig rig = await ShardRig.WriteAsync(shards: 4);
        using SlurmCluster cluster = await SlurmCluster.StartAsync(stop);
        string report = rig.PlanFile + ".report.json";
        string claim = rig.In("plan.rplan.shards/2.claim");

        (string job, string last) = await SubmitAsync(cluster, rig, claim);
        await cluster.UntilAsync(() => Task.FromResult(File.Exists(Path.Join(cluster.Folder, "stopped"))), Limit, stop);
        Assert.False(
            File.Exists(rig.In("plan.rplan.shards/2.done")),
            "The task had ended before it could be cancelled"
        );

        Assert.Equal("Dependency", (await cluster.RunAsync("squeue", "-h", "-j", last, "-o", "%r")).Output.Trim());

        // Between the two no task of the array is left, so the last step could start, and would say
        // that a shard is missing.
        Assert.Equal(0, (await cluster.RunAsync("scontrol", "hold", last)).ExitCode);
        Assert.Equal(0, (await cluster.RunAsync("scancel", $"{job}_2")).ExitCode);
        await cluster.UntilAsync(
            async () => await StateOfAsync(cluster, $"{job}_2") is "CANCELLED" or "FAILED",
            Limit,
            stop
        );
        Assert.Equal(0, (await cluster.RunAsync("scontrol", "requeue", $"{job}_2")).ExitCode);

        await cluster.UntilAsync(
            () => IsDoneAsync(cluster, $"{job}_2", rig.In("plan.rplan.shards/2.done")),
            LimitOfSecond,
            stop
        );
        Assert.Equal(0, (await cluster.RunAsync("scontrol", "release", last)).ExitCode);
        await cluster.UntilAsync(() => Task.FromResult(File.Exists(report)), Limit, stop);
        await cluster.UntilAsync(async () => (await cluster.RunAsync("squeue", "-h")).Output.Length == 0, Limit, stop);

        Assert.StartsWith("2 ended", File.ReadAllText(claim), StringComparison.Ordinal);
        Assert.Contains(
            "Restored ",
            File.ReadAllText(Path.Join(cluster.Folder, $"restore-{job}-finish.out")),
            StringComparison.Ordinal
        );
        rig.AssertRestored();
    }

    /// <summary>
    /// The state of a job. While it is COMPLETING, its processes are being ended, and Slurm would
    /// forget that it is requeued.
    /// </summary>
    private static async Task<string> StateOfAsync(SlurmCluster cluster, string job) =>
        (await cluster.RunAsync("squeue", "-h", "-t", "all", "-j", job, "-o", "%T")).Output.Trim();

    /// <summary>
    /// Whether a requeued task has left its record; else does what a person at the cluster would,
    /// by its state. Slurm starts it after two minutes, holds it or drains the machine if it could
    /// not be started (too early after its end), and forgets a request that comes while it is still
    /// being ended.
    /// </summary>
    private static async Task<bool> IsDoneAsync(SlurmCluster cluster, string task, string record)
    {
        string[] state = (await cluster.RunAsync("squeue", "-h", "-t", "all", "-j", task, "-o", "%T %r"))
            .Output.Trim()
            .Split(' ', 2);
        if (File.Exists(record))
        {
            return true;
        }

        string[] help = state[0] switch
        {
            "PENDING" when state[^1] == "BeginTime" => ["update", $"JobId={task}", "StartTime=now"],
            "PENDING" when state[^1].Contains("held", StringComparison.OrdinalIgnoreCase) => ["release", task],
            "PENDING" => ["update", "NodeName=ALL", "State=RESUME"],
            "CANCELLED" or "FAILED" => ["requeue", task],
            _ => [],
        };
        if (help.Length > 0)
        {
            await cluster.RunAsync("scontrol", help);
        }

        return false;
    }

    /// <summary>
    /// Submits the script. The first attempt of shard 2 is stopped when it has begun, so that it is
    /// cancelled in the middle.
    /// </summary>
    /// <returns>The array, and the last step.</returns>
    private static async Task<(string Array, string Last)> SubmitAsync(SlurmCluster cluster, ShardRig rig, string claim)
    {
        string program = Path.Join(cluster.Folder, "restore");
        string restore = string.Join(' ', ProgramRun.CommandOf().Select(word => $"'{word}'"));
        File.WriteAllText(
            program,
            $$"""
            #!/bin/bash
            if [ "$1" = run ] && [ "$SLURM_ARRAY_TASK_ID" = 2 ] && [ ! -e '{{cluster.Folder}}/stopped' ]; then
              {{restore}} "$@" &
              until [ -e '{{claim}}' ]; do sleep 0.01; done
              kill -STOP $!
              touch '{{cluster.Folder}}/stopped'
              wait $!
              exit $?
            fi
            exec {{restore}} "$@"
            """
        );
        File.SetUnixFileMode(program, (UnixFileMode)0x1ED);
        Dictionary<string, string> variables = new() { ["PLAN"] = rig.PlanFile, ["RESTORE"] = program };
        (int code, string output) = await cluster.RunAsync(
            variables,
            Path.Join(Fixtures.RepositoryRoot(), "deploy", "slurm", "restore.sbatch"),
            "--array=1-4"
        );
        Assert.True(code == 0, output);
        string[] words = output.Trim().Split(' ', ',');
        return (words[3], words[^1]);
    }
}
