using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>
/// A restore on several machines from the command line: plan, run, finish, estimate.
/// </summary>
public sealed class ShardCommandTests : IAsyncLifetime
{
    /// <summary>The options that these tests try.</summary>
    public static readonly string[] Options =
    [
        "--save",
        "--show",
        "--shards",
        "--shard",
        "--jobs",
        "--store-rate",
        "--machine-rate",
        "--target-rate",
        "--machine-price",
        "--plot",
        "--wait",
    ];

    private readonly TempFolder folder = new();
    private TreeBackup tree = null!;

    private string Plan => Path.Join(folder.Path, "the job.rplan");

    public async ValueTask InitializeAsync() =>
        tree = await TreeBackup.WriteAsync(files: 30, largeFiles: 2, volumeSizeBytes: 256 << 10, hugeBytes: 3_000_000);

    public ValueTask DisposeAsync()
    {
        tree.Dispose();
        folder.Dispose();
        return ValueTask.CompletedTask;
    }

    [Fact]
    public async Task A_plan_is_saved_shown_run_in_shards_and_finished()
    {
        await SaveAsync("--shards=3");
        var shown = await CliRun.OfAsync("plan", "--show", Plan);
        Assert.Equal(ExitCodes.Complete, shown.ExitCode);
        Assert.Matches("Shards    3\n +1  open\n +2  open\n +3  open\n", shown.Output);

        var earlyReport = Path.Join(folder.Path, "early.json");
        var early = await CliRun.OfAsync("finish", Plan, $"--report={earlyReport}");
        Assert.Equal(ExitCodes.ShardsMissing, early.ExitCode);
        Assert.Contains(
            $"\"exitCode\":{ExitCodes.ShardsMissing}",
            await File.ReadAllTextAsync(earlyReport, TestContext.Current.CancellationToken),
            StringComparison.Ordinal
        );
        var unknown = await CliRun.OfAsync("finish", Plan, "--notify-command=/a/missing/program");
        Assert.Equal(ExitCodes.Usage, unknown.ExitCode);
        Assert.Contains($"restore run '{Plan}' --shard=2/3\n", early.Error, StringComparison.Ordinal);

        var run = await CliRun.OfAsync("run", Plan, "--shard=2/3");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.StartsWith("Shard 2 of 3: ", run.Output, StringComparison.Ordinal);
        Assert.StartsWith(
            "Shard 2 of 3 was done before: ",
            (await CliRun.OfAsync("run", Plan, "--shard=2/3")).Output,
            StringComparison.Ordinal
        );
        Assert.Equal(ExitCodes.Complete, (await RunAsync("SLURM_ARRAY_TASK_ID", "3")).ExitCode);
        Assert.Equal(ExitCodes.Complete, (await RunAsync("JOB_COMPLETION_INDEX", "0")).ExitCode);
        Assert.Equal(ExitCodes.Complete, (await RunAsync("RESTORE_SHARD", "2/3", "--shard=all")).ExitCode);
        var json = (await CliRun.OfAsync("plan", "--show", Plan, "--json")).Output.Replace(
            " ",
            "",
            StringComparison.Ordinal
        );
        Assert.Contains("\"state\":\"done\"", json, StringComparison.Ordinal);

        var report = Path.Join(folder.Path, "report.json");
        var end = await CliRun.OfAsync("finish", Plan, $"--report={report}");
        Assert.Equal((ExitCodes.Complete, ""), (end.ExitCode, end.Error));
        Assert.StartsWith("Restored 33 files", end.Output, StringComparison.Ordinal);
        Assert.True(File.Exists(report));
        tree.AssertRestored(folder.Root);
    }

    [Fact]
    public async Task All_shards_of_a_plan_are_processes_of_one_machine_and_killed_or_removed_ones_are_done_again()
    {
        await SaveAsync();
        using (var process = ProgramRun.Start(Variables, "run", Plan, "--shard=5/5"))
        {
            await Task.Delay(150, TestContext.Current.CancellationToken);
            process.Kill();
            await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        }

        var run = await ProgramRun.OfAsync(Variables, "run", "--shard=all", "--shards", "5", "--jobs=3", "--", Plan);
        Assert.True(run.ExitCode == ExitCodes.Complete, $"{run.ExitCode}: {run.Error}{run.Output}");
        tree.AssertRestored(folder.Root);
        Directory.Delete(folder.Root, recursive: true);
        run = await ProgramRun.OfAsync(Variables, "run", "--shard=all", "--shards", "5", "--jobs=3", "--", Plan);
        Assert.True(run.ExitCode == ExitCodes.Complete, $"{run.ExitCode}: {run.Error}{run.Output}");
        tree.AssertRestored(folder.Root);
    }

    [Fact]
    public async Task A_log_in_the_folder_of_the_backup_is_refused()
    {
        await SaveAsync("--shards=2");
        var volume = Directory.GetFiles(tree.Location, "*.dblock.zip")[0];
        var before = File.ReadAllBytes(volume);
        await AssertRefusedAsync("has the name of a volume", "run", Plan, "--shard=1/2", "--log-file=", volume);
        await AssertRefusedAsync(
            "is in the folder of the backup",
            "run",
            Plan,
            "--shard=1/2",
            "--log-file=",
            Path.Join(tree.Location, "log")
        );
        await AssertRefusedAsync("has the name of a volume", "finish", Plan, "--log-file=", volume);
        await AssertRefusedAsync("has the name of a volume", "plan", "--show", Plan, "--log-file=", volume);
        await AssertRefusedAsync("has the name of a volume", "shard-estimate", Plan, "--plot=", volume);
        Assert.Equal(before, File.ReadAllBytes(volume));

        static async Task AssertRefusedAsync(string reason, params string[] words)
        {
            var (option, file) = (words[^2], words[^1]);
            var run = await CliRun.OfAsync([.. words[..^2], option + file]);
            Assert.Equal(ExitCodes.Usage, run.ExitCode);
            Assert.StartsWith($"{option.TrimEnd('=')}: {file} {reason}", run.Error, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_lost_volume_is_exit_code_2_of_the_shards_that_need_it_and_of_the_last_step()
    {
        await SaveAsync("--shards=2");
        string lost = Directory.GetFiles(tree.Location, "*.dblock.zip").Order(StringComparer.Ordinal).First();
        File.Delete(lost);
        int[] codes =
        [
            (await CliRun.OfAsync("run", Plan, "--shard=1")).ExitCode,
            (await CliRun.OfAsync("run", Plan, "--shard=2")).ExitCode,
        ];
        Assert.Contains(ExitCodes.Incomplete, codes);
        CliRun finish = await CliRun.OfAsync("finish", Plan);
        Assert.Equal(ExitCodes.Incomplete, finish.ExitCode);
        Assert.Contains(Path.GetFileName(lost), finish.Output + finish.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Shards_wait_for_the_plan_and_the_last_step_waits_for_the_shards()
    {
        CliEnvironment RealTime(CliEnvironment environment) => environment with { Clock = TimeProvider.System };
        var finish = Task.Run(() => CliRun.OfAsync(RealTime, "finish", Plan, "--wait=5"));
        var shard = Task.Run(() => CliRun.OfAsync(RealTime, "run", Plan, "--shard=1/2", "--wait=5"));
        await SaveAsync("--shards=2");
        var run = await shard.WaitAsync(TimeSpan.FromMinutes(2));
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.False(finish.IsCompleted);
        Assert.Equal(ExitCodes.Complete, (await CliRun.OfAsync("run", Plan, "--shard=2/2")).ExitCode);
        var end = await finish.WaitAsync(TimeSpan.FromMinutes(2));
        Assert.True(end.ExitCode == ExitCodes.Complete, end.Error);
        Assert.Contains("Waiting for the plan", end.Error, StringComparison.Ordinal);
        tree.AssertRestored(folder.Root);
    }

    [Theory]
    [InlineData(ExitCodes.OtherCount, "run", "--shard=1/3")]
    [InlineData(ExitCodes.OtherCount, "run", "--shard=3")]
    [InlineData(ExitCodes.OtherCount, "finish", "--shards=3")]
    [InlineData(ExitCodes.Usage, "run", "--shard=1/2/3")]
    [InlineData(ExitCodes.Usage, "run", "--shard=x")]
    [InlineData(ExitCodes.Usage, "run")]
    [InlineData(ExitCodes.Usage, "run", "--shard=1/2", "--shards=3")]
    public async Task What_does_not_fit_the_plan_has_an_exit_code_of_its_own(
        int code,
        string command,
        params string[] options
    )
    {
        await SaveAsync("--shards=2");
        var run = await CliRun.OfAsync([command, Plan, .. options]);
        Assert.Equal(code, run.ExitCode);
        Assert.False(Directory.Exists(folder.Root));
    }

    [Fact]
    public async Task Each_failure_that_does_not_go_away_by_itself_has_an_exit_code_of_its_own()
    {
        string[] own =
        [
            RestoreErrorCode.ShardsMissing,
            RestoreErrorCode.PlanDamaged,
            RestoreErrorCode.ShardPlanOther,
            RestoreErrorCode.PlanBackupOther,
            RestoreErrorCode.PlanVersionGone,
            RestoreErrorCode.ShardCountWrong,
            RestoreErrorCode.ShardTargetOther,
            RestoreErrorCode.ShardRecordDamaged,
            RestoreErrorCode.ShardTaken,
            RestoreErrorCode.PassphraseMissing,
            RestoreErrorCode.TargetFull,
        ];
        var codes = own.Select(code => ExitCodes.Of(new RestoreException(code, "It failed"))).ToList();
        Assert.Equal(codes.Distinct(), codes);
        Assert.Equal(ExitCodes.NotFound, (await CliRun.OfAsync("run", Plan, "--shard=1/2")).ExitCode);
        var shown = await CliRun.OfAsync("plan", "--show", Plan);
        Assert.Equal(ExitCodes.NotFound, shown.ExitCode);
        Assert.StartsWith($"There is no such file ({Plan})\n", shown.Error, StringComparison.Ordinal);
        var extra = await CliRun.OfAsync("plan", "--show", Plan, "extra");
        Assert.Equal(ExitCodes.Usage, extra.ExitCode);
        Assert.StartsWith("'extra' is one argument too many", extra.Error, StringComparison.Ordinal);
        File.WriteAllText(Plan, "no plan");
        Assert.Equal(ExitCodes.PlanDamaged, (await CliRun.OfAsync("run", Plan, "--shard=1/2")).ExitCode);
    }

    [Fact]
    public async Task A_plan_replaces_no_file_and_has_no_secrets_in_it()
    {
        await SaveAsync("--passphrase=topsecretphrase", "--auth-password=othersecret");
        var bytes = System.Text.Encoding.Latin1.GetString(File.ReadAllBytes(Plan));
        Assert.DoesNotContain("topsecretphrase", bytes, StringComparison.Ordinal);
        Assert.DoesNotContain("othersecret", bytes, StringComparison.Ordinal);
        var again = await CliRun.OfAsync("plan", tree.Location, $"--restore-path={folder.Root}", $"--save={Plan}");
        Assert.Equal(ExitCodes.Usage, again.ExitCode);
        Assert.StartsWith("The file exists already", again.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--restore-legacy")]
    [InlineData("--delete")]
    public async Task A_plan_for_what_shards_cannot_do_is_not_saved(string option)
    {
        var run = await CliRun.OfAsync(
            "plan",
            tree.Location,
            $"--restore-path={folder.Root}",
            $"--save={Plan}",
            "--overwrite",
            option
        );
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith($"{option} cannot be used with a plan", run.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(Plan));
    }

    [Fact]
    public async Task A_plan_is_not_saved_where_it_restores_to()
    {
        Directory.CreateDirectory(folder.Root);
        var run = await CliRun.OfAsync(
            "plan",
            tree.Location,
            $"--restore-path={folder.Root}",
            $"--save={folder.In("job.rplan")}"
        );
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains("job.rplan is where entries are restored to", run.Error, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFileSystemEntries(folder.Root));
    }

    [Fact]
    public async Task An_estimate_has_a_row_for_each_number_of_shards_and_a_picture()
    {
        await SaveAsync();
        var plot = Path.Join(folder.Path, "plot.svg");
        var run = await CliRun.OfAsync(
            "shard-estimate",
            Plan,
            "--store-rate=1mb",
            "--machine-rate=200mb",
            "--target-rate=1gb",
            "--machine-price=0.5",
            "--egress-price=0.09",
            $"--plot={plot}"
        );
        Assert.Equal((ExitCodes.Complete, ""), (run.ExitCode, run.Error));
        Assert.Equal(10, run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.Contains("store", run.Output.Split('\n')[^2], StringComparison.Ordinal);
        Assert.Contains(
            "<polyline",
            await File.ReadAllTextAsync(plot, TestContext.Current.CancellationToken),
            StringComparison.Ordinal
        );
        Assert.Contains(
            "\"amplification\"",
            (await CliRun.OfAsync("shard-estimate", Plan, "--json")).Output,
            StringComparison.Ordinal
        );
    }

    private static Dictionary<string, string> Variables => new() { ["TMPDIR"] = Path.GetTempPath() };

    private Task<CliRun> RunAsync(string variable, string value, params string[] options) =>
        CliRun.OfAsync(
            environment => environment with { Variable = name => name == variable ? value : null },
            ["run", Plan, .. options]
        );

    private async Task SaveAsync(params string[] options)
    {
        var run = await CliRun.OfAsync([
            "plan",
            tree.Location,
            $"--restore-path={folder.Root}",
            $"--save={Plan}",
            .. options,
        ]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
    }
}
