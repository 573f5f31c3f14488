using Restore.Cli;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support;

namespace Restore.Tests.Reported;

/// <summary>
/// A store or a target that vanishes under the run, and a store that changes or lies: one error, or
/// exactly the losses.
/// </summary>
public sealed class GoneTests
{
    private const string Fixture = "aes-100kb";

    private static readonly TimeSpan MaxTime = TimeSpan.FromSeconds(60);

    private static FixtureBackup Backup0 => FixtureCatalog.BackupsOf(Fixture).Single();

    public enum End
    {
        /// <summary>The folder does not exist any more.</summary>
        Removed,

        /// <summary>The folder is empty: the place where the disk was mounted.</summary>
        Unmounted,
    }

    [Theory]
    [InlineData(Flow.Network, End.Removed)]
    [InlineData(Flow.Network, End.Unmounted)]
    [InlineData(Flow.Legacy, End.Unmounted)]
    public async Task A_store_that_is_gone_is_one_error_and_not_a_loss_of_each_file(Flow flow, End end)
    {
        using TempFolder folder = new();
        string store = Path.Combine(folder.Path, "store");
        Copy(Backup0.Location, store);
        await using Backup backup = await Backup.OpenAsync(store, Backup0.Options());
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], FixtureRestore.Whole(folder.Root).By(flow));
        Directory.Delete(store, recursive: true);
        if (end == End.Unmounted)
        {
            Directory.CreateDirectory(store);
        }

        ExecuteOptions execution = new() { Legacy = flow == Flow.Legacy };
        RestoreException failure = await Assert
            .ThrowsAsync<RestoreException>(() => backup.ExecuteAsync(plan, execution))
            .WaitAsync(MaxTime);
        Assert.Equal((RestoreErrorCode.StoreLost, $"The store is gone ({store})"), (failure.Code, failure.Message));
        Assert.Equal(ExitCodes.Failed, ExitCodes.Of(failure.Kind));
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
    }

    [Fact]
    public async Task Volumes_that_are_removed_from_a_store_that_is_there_are_losses()
    {
        using TempFolder folder = new();
        string store = Path.Combine(folder.Path, "store");
        Copy(Backup0.Location, store);
        await using Backup backup = await Backup.OpenAsync(store, Backup0.Options());
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], FixtureRestore.Whole(folder.Root));
        foreach (string volume in Directory.GetFiles(store, "*.dblock*"))
        {
            File.Delete(volume);
        }

        RestoreReport report = await backup.ExecuteAsync(plan).WaitAsync(MaxTime);
        Assert.Contains(report.Issues, issue => issue.Kind == IssueKind.Missing);
        Assert.Equal(ExitCodes.Incomplete, ExitCodes.Of(report));
    }

    [Theory]
    [InlineData(Flow.Network, true)]
    [InlineData(Flow.Network, false)]
    [InlineData(Flow.Legacy, false)]
    public async Task A_target_that_is_gone_ends_the_run_with_its_own_error(Flow flow, bool isDeleted)
    {
        using TempFolder folder = new();
        string elsewhere = Path.Combine(folder.Path, "elsewhere");
        await using Backup backup = await Backup.OpenAsync(Backup0.Location, Backup0.Options());
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], FixtureRestore.Whole(folder.Root).By(flow));
        int results = 0;
        ExecuteOptions options = new()
        {
            Legacy = flow == Flow.Legacy,
            Entries = new Listener(() =>
            {
                if (++results == 1)
                {
                    Directory.CreateDirectory(folder.Root);
                    Directory.Move(folder.Root, elsewhere);
                }

                if (isDeleted && Directory.Exists(elsewhere))
                {
                    TryDelete(elsewhere);
                }
            }),
        };
        RestoreException failure = await Assert
            .ThrowsAsync<RestoreException>(() => backup.ExecuteAsync(plan, options))
            .WaitAsync(MaxTime);
        Assert.Equal(RestoreErrorCode.TargetLost, failure.Code);
        Assert.Equal(ExitCodes.TargetNotWritable, ExitCodes.Of(failure.Kind));
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
    }

    [Theory]
    [InlineData(500)]
    [InlineData(-500)]
    public async Task A_store_that_lies_about_sizes_costs_at_most_what_it_hides(int lie)
    {
        ScriptedStore files = ScriptedStore.OfFolder(Backup0.Location);
        ScriptedStore store = new()
        {
            IsLocal = true,
            Listed =
            [
                .. files.Names.Select(name => new StoredFile(
                    name,
                    files[name].Length + (name.Contains("dblock", StringComparison.Ordinal) ? lie : 0)
                )),
            ],
        };
        foreach (string name in files.Names)
        {
            store[name] = files[name];
        }

        using TempFolder folder = new();
        await using Backup backup = await Backup.OpenAsync(store, Backup0.Options());
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], FixtureRestore.Whole(folder.Root));
        RestoreReport report = await backup.ExecuteAsync(plan).WaitAsync(MaxTime);
        HashSet<string> reported = [.. report.Issues.Select(issue => Backup0.RelativePath(issue.Path))];
        RestoredTree.AssertEqual(Backup0.Versions[0].ExpectedFile!, folder.Root, TreeChecks.Content, reported.Contains);
        Assert.True(lie < 0 || report.IsComplete, Issues.Text(report));
    }

    [Fact]
    public async Task A_command_that_never_returns_is_left_behind_after_the_second_interruption()
    {
        using CancellationTokenSource interruption = new();
        TaskCompletionSource<int> hanging = new();
        Task<int> waiting = CliApplication.WaitAsync(
            hanging.Task,
            new FakeClock { JumpsOverWaits = true },
            interruption.Token
        );
        await interruption.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.WaitAsync(MaxTime));
    }

    [Fact]
    public async Task A_command_that_ends_after_the_second_interruption_gives_its_own_result()
    {
        using CancellationTokenSource interruption = new();
        TaskCompletionSource<int> command = new();
        Task<int> waiting = CliApplication.WaitAsync(command.Task, new FakeClock(), interruption.Token);
        await interruption.CancelAsync();
        command.SetResult(2);
        Assert.Equal(2, await waiting.WaitAsync(MaxTime));
    }

    private static void Copy(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (string file in Directory.GetFiles(from))
        {
            File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
        }
    }

    private static void TryDelete(string folder)
    {
        try
        {
            Directory.Delete(folder, recursive: true);
        }
        catch (IOException)
        {
            // A file came meanwhile; the next result tries again.
        }
    }

    private sealed class Listener(Action onResult) : IProgress<EntryResult>
    {
        public void Report(EntryResult value) => onResult();
    }
}
