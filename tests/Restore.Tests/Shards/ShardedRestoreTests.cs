using Restore.Catalog;
using Restore.Planning;
using Restore.Shards;

namespace Restore.Tests.Shards;

/// <summary>
/// A tree restored in shards is the source, whatever happens to the shards on the way, and its
/// report is that of one run.
/// </summary>
public sealed class ShardedRestoreTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_shard_that_lost_something_is_tried_again_by_the_same_command(bool isFinishedBefore)
    {
        // Without permissions, a folder stays closed to others if its mode was lost at first.
        using ShardRig rig = await ShardRig.WriteAsync(
            shards: 3,
            options: usual => usual with { Overwrite = true, RestorePermissions = true }
        );
        string[] volumes = [.. Directory.GetFiles(rig.Tree.Location, "*.dblock.zip").Order(StringComparer.Ordinal)];
        string away = Directory.CreateDirectory(rig.In("away")).FullName;
        Array.ForEach(volumes[..4], volume => File.Move(volume, Path.Join(away, Path.GetFileName(volume))));
        for (int shard = 1; shard <= 3; shard++)
        {
            await rig.RunAsync(shard);
        }

        Assert.Contains(rig.Restore.Look(), shard => shard.IsIncomplete);
        if (isFinishedBefore)
        {
            Assert.False((await rig.FinishAsync()).IsComplete);
        }

        Array.ForEach(volumes[..4], volume => File.Move(Path.Join(away, Path.GetFileName(volume)), volume));
        for (int shard = 1; shard <= 3; shard++)
        {
            Assert.DoesNotContain((await rig.RunAsync(shard))!.Issues, issue => issue.IsLoss);
        }

        Assert.DoesNotContain(rig.Restore.Look(), shard => shard.IsIncomplete);
        if (isFinishedBefore)
        {
            await OpenSharesAgainAsync(rig);
        }

        RestoreReport report = await rig.FinishAsync();
        Assert.True(report.IsComplete, string.Join("; ", report.Issues));
        rig.AssertRestored();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Seven_shards_in_random_order_that_are_ended_again_and_again_restore_the_source(int seed)
    {
        using ShardRig rig = await ShardRig.WriteAsync();
        RestorePlan plan = rig.Restore.Plan;
        Assert.NotEmpty(PlanSplit.Of(plan.Pass, 7).Shares);
        Random random = new(seed);
        int[] order = [.. Enumerable.Range(1, 7)];
        random.Shuffle(order);
        foreach (int shard in order)
        {
            while (random.Next(2) == 0)
            {
                await rig.RunAsync(shard, stopAfter: random.Next(1, 12));
            }

            Assert.True((await rig.RunAsync(shard))!.IsComplete);
        }

        RestoreReport report = await rig.FinishAsync();

        Assert.Empty(report.Issues);
        rig.AssertRestored();
        RestoreReport whole = await rig.RunWholeAsync();
        Assert.Equal((whole.FilesRestored, whole.BytesRestored), (report.FilesRestored, report.BytesRestored));
        Assert.Equal((whole.FilesUnchanged, whole.FoldersRestored), (report.FilesUnchanged, report.FoldersRestored));
    }

    [Fact]
    public async Task Shards_at_the_same_time_some_of_them_twice_restore_the_source()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 5);
        LeaseTiming timing = new(TimeSpan.FromMilliseconds(20), TimeSpan.FromSeconds(30));
        await Task.WhenAll(
            new[] { 1, 2, 3, 4, 5, 3, 1 }.Select(shard => Task.Run(() => rig.RunAsync(shard, timing: timing)))
        );
        Assert.Empty((await rig.FinishAsync()).Issues);
        rig.AssertRestored();
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(3, 0)]
    [InlineData(0, 3)]
    [InlineData(1000, 0)]
    public async Task The_report_is_that_of_one_run_and_lists_each_loss_once(int lostBefore, int lostLater)
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 4, lostBefore, lostLater);
        RestoreReport whole = await rig.RunWholeAsync();
        for (int shard = 1; shard <= 4; shard++)
        {
            await rig.RunAsync(shard);
        }

        RestoreReport merged = await rig.FinishAsync();

        Assert.Equal(Facts(whole, rig.In("whole")), Facts(merged, rig.Target));
        Assert.Equal(lostBefore + lostLater == 0, merged.IsComplete);
        Assert.Equal(FilesOf(rig.In("whole")), FilesOf(rig.Target));
    }

    [Fact]
    public async Task The_last_step_can_be_done_again()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 3);
        await Task.WhenAll(rig.RunAsync(1), rig.RunAsync(2), rig.RunAsync(3));
        RestoreReport first = await rig.FinishAsync();
        RestoreReport second = await rig.FinishAsync();
        Assert.Equal(Facts(first, rig.Target), Facts(second, rig.Target));
        rig.AssertRestored();
    }

    [Fact]
    public async Task Of_two_last_steps_at_the_same_time_one_waits_and_neither_reports_a_loss()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 3);
        await Task.WhenAll(rig.RunAsync(1), rig.RunAsync(2), rig.RunAsync(3));
        RestoreReport[] reports = await Task.WhenAll(Task.Run(rig.FinishAsync), Task.Run(rig.FinishAsync));
        Assert.All(reports, report => Assert.Empty(report.Issues));
        rig.AssertRestored();
    }

    [Fact]
    public async Task A_shard_can_be_restored_again_after_the_last_step()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 3);
        await Task.WhenAll(rig.RunAsync(1), rig.RunAsync(2), rig.RunAsync(3));
        await rig.FinishAsync();
        File.Delete(Path.Join(rig.PlanFile + ".shards", "1.done"));
        await rig.RunAsync(1);
        Assert.Empty((await rig.FinishAsync()).Issues);
        rig.AssertRestored();
    }

    [Fact]
    public async Task Files_that_vanish_before_the_last_step_are_reported_and_their_shard_brings_them_again()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 2);
        await Task.WhenAll(rig.RunAsync(1), rig.RunAsync(2));
        string[] whole = [.. rig.Tree.Files.Where(file => File.Exists(Path.Join(rig.Target, file)))];
        File.Delete(Path.Join(rig.Target, whole[0]));
        RestoreReport report = await rig.FinishAsync();
        RestoreIssue issue = Assert.Single(report.Issues);
        Assert.Equal(IssueKind.Missing, issue.Kind);
        Assert.EndsWith(whole[0], issue.Path, StringComparison.Ordinal);
        Assert.Contains("it is no longer there", issue.Reason, StringComparison.Ordinal);
        int again = Assert.Single(rig.Restore.Look(), shard => shard.State == ShardState.Open).Number;
        await rig.RunAsync(again);
        Assert.Empty((await rig.FinishAsync()).Issues);
        rig.AssertRestored();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_file_of_the_user_at_the_path_of_one_stays_and_the_restored_one_counts_where_it_is(
        bool verifyAfter
    )
    {
        using ShardRig rig = await ShardRig.WriteAsync();
        rig.Execution = rig.Execution with { VerifyAfter = verifyAfter };
        string path = rig.Tree.Files.First(file => rig.Tree.ContentOf(file).Length is > 0 and < 150_000);
        string own = Path.Join(rig.Target, path);
        Directory.CreateDirectory(Path.GetDirectoryName(own)!);
        await File.WriteAllTextAsync(own, "mine", TestContext.Current.CancellationToken);
        for (int shard = 1; shard <= 7; shard++)
        {
            Assert.True((await rig.RunAsync(shard))!.IsComplete);
        }

        RestoreReport report = await rig.FinishAsync();
        Assert.True(report.IsComplete, string.Join('\n', report.Issues));
        Assert.Equal("mine", await File.ReadAllTextAsync(own, TestContext.Current.CancellationToken));

        string beside = Assert.Single(report.Issues).TargetPath!;
        Assert.Equal(
            rig.Tree.ContentOf(path),
            await File.ReadAllBytesAsync(beside, TestContext.Current.CancellationToken)
        );
        File.Delete(beside);
        Assert.Equal(
            (IssueKind.Missing, beside),
            (await rig.FinishAsync())
                .Issues.Where(issue => issue.Kind == IssueKind.Missing)
                .Select(issue => (issue.Kind, issue.TargetPath))
                .Single()
        );
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_file_that_is_changed_before_the_last_step_is_reported(bool verifyAfter)
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 2);
        rig.Execution = rig.Execution with { VerifyAfter = verifyAfter };
        await Task.WhenAll(rig.RunAsync(1), rig.RunAsync(2));
        string path = rig.Tree.Files.First(file =>
            new FileInfo(Path.Join(rig.Target, file)) is { Exists: true, Length: > 0 }
        );
        string place = Path.Join(rig.Target, path);
        DateTime time = File.GetLastWriteTimeUtc(place);
        byte[] content = File.ReadAllBytes(place);
        content[0] ^= 1;
        File.WriteAllBytes(place, content);
        File.SetLastWriteTimeUtc(place, verifyAfter ? time : time.AddSeconds(1));
        RestoreIssue issue = Assert.Single((await rig.FinishAsync()).Issues);
        Assert.Equal((IssueKind.Damaged, place), (issue.Kind, issue.TargetPath));
        Assert.Equal(content, File.ReadAllBytes(place));

        // A file with another time that has its content is right.
        content[0] ^= 1;
        File.WriteAllBytes(place, content);
        Assert.Empty((await rig.FinishAsync()).Issues);
    }

    [Fact]
    public async Task A_finished_plan_that_is_run_again_on_an_emptied_target_restores_everything_again()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 3);
        await Task.WhenAll(rig.RunAsync(1), rig.RunAsync(2), rig.RunAsync(3));
        await rig.FinishAsync();
        Directory.Delete(rig.Target, recursive: true);
        RestoreException refusal = await Assert.ThrowsAsync<RestoreException>(rig.FinishAsync);
        Assert.Equal(RestoreErrorCode.ShardTargetOther, refusal.Code);
        await Task.WhenAll(rig.RunAsync(1), rig.RunAsync(2), rig.RunAsync(3));
        Assert.Empty((await rig.FinishAsync()).Issues);
        rig.AssertRestored();
        Directory.Delete(rig.Target, recursive: true);
        await Task.WhenAll(rig.RunAsync(1), rig.RunAsync(2), rig.RunAsync(3));
        try
        {
            await rig.FinishAsync();
        }
        catch (RestoreException failure) when (failure.Code == RestoreErrorCode.ShardsMissing)
        {
            // A shard that has nothing but a share of a file takes it for there when another one
            // has begun the file again. The last step says so.
            await Task.WhenAll(
                rig.Restore.Look()
                    .Where(shard => shard.State == ShardState.Open)
                    .Select(shard => rig.RunAsync(shard.Number))
            );
        }

        Assert.Empty((await rig.FinishAsync()).Issues);
        rig.AssertRestored();
    }

    [Fact]
    public async Task A_file_that_one_of_its_shards_cannot_write_is_refused_and_the_rest_is_finished()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 4);
        RestorePlan plan = rig.Restore.Plan;
        int failing = PlanSplit.Of(plan.Pass, 4).Shares.Values.MaxBy(file => file.PartOfItem.Length)!.PartOfItem[0] + 1;
        await Task.WhenAll(
            Enumerable.Range(1, 4).Where(shard => shard != failing).Select(shard => rig.RunAsync(shard))
        );
        string shared = Directory
            .GetFiles(rig.Target, ".restore-*", SearchOption.AllDirectories)
            .MaxBy(file => new FileInfo(file).Length)!;
        File.Move(shared, rig.In("aside"));
        Directory.CreateDirectory(shared);
        await rig.RunAsync(failing);
        Directory.Delete(shared);
        File.Move(rig.In("aside"), shared);

        RestoreReport report = await rig.FinishAsync();

        RestoreIssue issue = Assert.Single(report.Issues);
        Assert.Equal(IssueKind.Refused, issue.Kind);
        Assert.EndsWith(TreeBackup.Huge, issue.Path, StringComparison.Ordinal);
        Assert.False(File.Exists(shared) || File.Exists(Path.Join(rig.Target, TreeBackup.Huge)));
    }

    [Fact]
    public async Task A_shard_of_which_the_device_did_not_keep_all_is_not_done()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 2);
        await using (Backup backup = await rig.OpenAsync())
        {
            ExecuteOptions spoiling = new() { Entries = new Spoiler(), VerifyAfter = true };
            RestoreReport report = await rig.Restore.RunAsync(
                backup,
                1,
                options: spoiling,
                cancellationToken: TestContext.Current.CancellationToken
            );
            Assert.Contains(report.Issues, issue => issue.Kind == IssueKind.Doubtful);
        }

        Assert.Equal(ShardState.Failed, rig.Restore.Look()[0].State);
        await rig.RunAsync(1);
        Assert.Equal(ShardState.Done, rig.Restore.Look()[0].State);
    }

    [Fact]
    public async Task A_shard_that_is_done_is_not_restored_again()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 2);
        RestoreReport first = (await rig.RunAsync(1))!;
        string[] made = FilesOf(rig.Target);
        Array.ForEach(Directory.GetFiles(rig.Tree.Location, "*.dblock.zip"), File.Delete);
        RestoreReport second = (await rig.RunAsync(1))!;
        Assert.Equal((first.FilesRestored, first.BytesFetched), (second.FilesRestored, second.BytesFetched));
        Assert.Equal(made, FilesOf(rig.Target));
    }

    [Fact]
    public async Task The_last_step_leaves_what_the_shards_of_another_plan_have_begun()
    {
        (ShardRig begunRig, string first, string[] begun) = await BeginAsync();
        using ShardRig rig = begunRig;
        ShardedRestore other = ShardedRestore.Load(first);
        await using (Backup backup = await rig.OpenAsync())
        {
            await other.RunAsync(backup, 1, cancellationToken: TestContext.Current.CancellationToken);
            await other.RunAsync(backup, 2, cancellationToken: TestContext.Current.CancellationToken);
        }

        await other.FinishAsync(cancellationToken: TestContext.Current.CancellationToken);

        Assert.Empty(begun.Except(Directory.GetFiles(rig.Target, ".restore-*.unfinished")));
    }

    /// <summary>
    /// A run that is ended between two files has no record to leave: then another one is begun.
    /// </summary>
    private static async Task<(ShardRig Rig, string FirstPlan, string[] Begun)> BeginAsync()
    {
        for (int tries = 0; ; tries++)
        {
            ShardRig rig = await ShardRig.WriteAsync(shards: 2);
            string first = rig.In("first.rplan");
            File.Copy(rig.PlanFile, first);
            await rig.PlanAsync(2, options => options with { RestorePermissions = true });
            await rig.RunAsync(1, stopAfter: 3);
            string[] begun = Directory.GetFiles(rig.Target, ".restore-*.unfinished");
            if (begun.Length > 0)
            {
                return (rig, first, begun);
            }

            rig.Dispose();
            Assert.InRange(tries, 0, 20);
        }
    }

    [Fact]
    public async Task What_differs_at_the_target_is_replaced_also_by_a_file_that_several_shards_write()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: null);
        await rig.RunWholeAsync();
        Directory.Move(rig.In("whole"), rig.Target);
        foreach (string path in new[] { TreeBackup.Huge, rig.Tree.Files[3] })
        {
            byte[] other = rig.Tree.ContentOf(path);
            Array.Reverse(other);
            File.WriteAllBytes(Path.Join(rig.Target, path), other);
        }

        await rig.PlanAsync(3, options => options with { Overwrite = true });
        await Task.WhenAll(rig.RunAsync(1), rig.RunAsync(2), rig.RunAsync(3));
        RestoreReport report = await rig.FinishAsync();
        Assert.Empty(report.Issues);
        Assert.Equal(report.FilesRestored - 2, report.FilesUnchanged);
        rig.AssertRestored();
    }

    private static string[] FilesOf(string root) =>
        [
            .. Directory
                .GetFiles(
                    root,
                    "*",
                    new EnumerationOptions
                    {
                        RecurseSubdirectories = true,
                        AttributesToSkip = FileAttributes.ReparsePoint,
                    }
                )
                .Select(file =>
                    $"{Path.GetRelativePath(root, file)} {Convert.ToHexString(System.Security.Cryptography.SHA256.HashData(File.ReadAllBytes(file)))}"
                )
                .Order(StringComparer.Ordinal),
        ];

    private static string[] Facts(RestoreReport report, string target) =>
        [
            $"{report.FilesRestored} files, {report.FilesUnchanged} right before, {report.FoldersRestored} folders, {report.SymlinksRestored} links",
            $"{report.BytesRestored} bytes, {report.BytesWritten} written",
            .. report
                .Issues.Select(issue =>
                    $"{issue.Kind} {issue.Path} {issue.TargetPath?.Replace(target, "", StringComparison.Ordinal)} {issue.Code} "
                    + $"{issue.Reason.Replace(target, "", StringComparison.Ordinal)} {issue.MetadataLost} {string.Join(' ', issue.LostRanges)} "
                    + string.Join(' ', issue.Volumes.Order(StringComparer.Ordinal))
                )
                .Order(StringComparer.Ordinal),
            .. report.LostVolumes.Select(volume => volume.ToString()),
        ];

    /// <summary>Changes the first file that is restored, as a bad device would.</summary>
    private sealed class Spoiler : IProgress<EntryResult>
    {
        private int isDone;

        public void Report(EntryResult value)
        {
            if (File.Exists(value.TargetPath) && Interlocked.Exchange(ref isDone, 1) == 0)
            {
                File.WriteAllText(value.TargetPath, "spoiled");
            }
        }
    }

    /// <summary>
    /// The last step opens the shares of a damaged file again that it has put in its place, and
    /// then names their shards. Whether there is such a file depends on the names of the volumes,
    /// which are random.
    /// </summary>
    private static async Task OpenSharesAgainAsync(ShardRig rig)
    {
        try
        {
            await rig.FinishAsync();
        }
        catch (RestoreException open) when (open.Code == RestoreErrorCode.ShardsMissing)
        {
            foreach (ShardStatus shard in rig.Restore.Look().Where(shard => shard.State != ShardState.Done))
            {
                await rig.RunAsync(shard.Number);
            }
        }
    }
}
