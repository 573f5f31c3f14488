using System.Diagnostics;
using Restore.Cli;
using Restore.Tests.Cli;
using Restore.Tests.Ends;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support.Machine;
using Restore.Tests.Trust;

namespace Restore.Tests.Reported;

/// <summary>
/// What does not fit is refused before anything is written: by file system, for what is to be
/// written, without holes.
/// </summary>
public sealed class RoomTests : IDisposable
{
    private const int BlockBytes = 64 << 10;

    private readonly MadeBackup backup = new(BlockBytes);
    private readonly Random random = new(3);
    private readonly List<string> mounts = [];

    [Fact]
    public async Task A_folder_on_another_file_system_has_the_room_of_that_one()
    {
        Mount("small", "size=1m");
        backup.File("/s/small/a/large", Bytes(2 << 20));
        backup.File("/s/small/a/little", Bytes(100_000));
        backup.File("/s/large", Bytes(2 << 20));
        RestoreReport report = await RestoreAsync();
        RestoreIssue issue = Assert.Single(report.Issues);
        Assert.Equal(
            (IssueKind.Refused, "/s/small/a/large", IssueCode.TargetTooSmall),
            (issue.Kind, issue.Path, issue.Code)
        );
        Assert.StartsWith(
            "2,097,152 bytes of the file have to be written, and only ",
            issue.Reason,
            StringComparison.Ordinal
        );
        Assert.Equal(2, report.FilesRestored);
    }

    [Fact]
    public async Task A_small_target_with_a_larger_file_system_in_it_takes_what_fits_there()
    {
        Mount("", "size=1m");
        Mount("large", "size=20m");
        backup.File("/s/large/a", Bytes(3 << 20));
        backup.File("/s/b", Bytes(100_000));
        Assert.Empty((await RestoreAsync()).Issues);
    }

    [Theory]
    [InlineData(Flow.Network)]
    [InlineData(Flow.Legacy)]
    public async Task A_file_that_is_right_already_needs_no_room(Flow flow)
    {
        Mount("", "size=3m");
        byte[] content = Bytes(2 << 20);
        File.WriteAllBytes(backup.At("a"), content);
        backup.File("/s/a", content);
        backup.Folder("/s/b/");
        RestoreReport report = await RestoreAsync(new RestoreOptions().By(flow));
        Assert.Empty(report.Issues);
        Assert.Equal(1, report.FilesUnchanged);
    }

    [Fact]
    public async Task Holes_take_no_room_and_files_that_get_their_full_length_first_do()
    {
        Mount("", "size=3m");
        backup.File("/s/sparse", [.. Bytes(BlockBytes), .. new byte[40 * BlockBytes], .. Bytes(BlockBytes)]);
        backup.File("/s/a", Bytes(2 << 20));
        Assert.Empty((await RestoreAsync()).Issues);
        File.Delete(backup.At("sparse"));
        RestoreReport full = await RestoreAsync(
            new RestoreOptions().With(new ExecuteOptions { Tuning = new() { PreallocateSize = true } })
        );
        Assert.Equal(
            ("/s/sparse", IssueCode.TargetTooSmall),
            full.Issues.Select(issue => (issue.Path, issue.Code)).Single()
        );
    }

    [Fact]
    public async Task Zeros_need_no_room_however_long_the_file_is()
    {
        Mount("", "size=1m");
        byte[] content = [.. Bytes(BlockBytes), .. new byte[40 * BlockBytes]];
        backup.File("/s/sparse", content);
        Assert.Empty((await RestoreAsync()).Issues);
        Assert.Equal(content, File.ReadAllBytes(backup.At("sparse")));
    }

    [Fact]
    public async Task A_file_for_which_there_is_no_second_room_is_changed_in_place()
    {
        Mount("", "size=1m");
        byte[] content = [.. Enumerable.Range(0, 10).SelectMany(_ => Bytes(BlockBytes))];
        backup.File("/s/image", content);
        Assert.Empty((await RestoreAsync()).Issues);
        byte[] changed = [.. content];
        changed[5 * BlockBytes] ^= 1;
        File.WriteAllBytes(backup.At("image"), changed);
        RestoreReport report = await RestoreAsync(new RestoreOptions { Overwrite = true });
        Assert.True(report.IsComplete, Issues.Text(report));
        Assert.Equal(IssueCode.PatchedInPlace, Assert.Single(report.Issues).Code);
        Assert.Equal(content, File.ReadAllBytes(backup.At("image")));
        Assert.Single(Directory.GetFiles(Path.GetDirectoryName(backup.At("image"))!));
    }

    [Fact]
    public async Task A_file_with_a_known_loss_is_not_changed_in_place_for_want_of_room()
    {
        Mount("", "size=1m");
        byte[] lost = Bytes(BlockBytes);
        byte[] content = [.. Enumerable.Range(0, 9).SelectMany(_ => Bytes(BlockBytes)), .. lost];
        backup.File("/s/image", content);
        backup.Forget(lost);
        byte[] mine = [.. content.AsSpan(0, 3 * BlockBytes), .. Bytes(7 * BlockBytes)];
        Directory.CreateDirectory(backup.Target);
        File.WriteAllBytes(backup.At("image"), mine);
        RestoreReport report = await RestoreAsync(new RestoreOptions { Overwrite = true });
        Assert.Equal(mine, File.ReadAllBytes(backup.At("image")));
        RestoreIssue issue = Assert.Single(report.Issues, issue => issue.Code == IssueCode.TargetTooSmall);
        Assert.EndsWith(
            "blocks of it are lost, so the file at the target is not changed in place and stays",
            issue.Reason,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_file_that_is_changed_in_place_keeps_its_old_bytes_where_blocks_are_lost()
    {
        byte[] lost = Bytes(BlockBytes);
        byte[] content = [.. Enumerable.Range(0, 9).SelectMany(_ => Bytes(BlockBytes)), .. lost];
        backup.File("/s/image", content);
        backup.File("/s/other", Bytes(BlockBytes));
        backup.Forget(lost);
        byte[] mine = [.. content.AsSpan(0, 3 * BlockBytes), .. Bytes(7 * BlockBytes)];
        Directory.CreateDirectory(backup.Target);
        File.WriteAllBytes(backup.At("image"), mine);
        RestoreReport report = await RestoreAsync(new RestoreOptions { Overwrite = true, OverwriteInPlace = true });
        byte[] expected = [.. content.AsSpan(0, 9 * BlockBytes), .. mine.AsSpan(9 * BlockBytes)];
        Assert.Equal(expected, File.ReadAllBytes(backup.At("image")));
        Assert.Contains(
            report.Issues,
            issue =>
                issue is { Kind: IssueKind.Damaged, Path: "/s/image" }
                && issue.Reason.EndsWith(
                    "the file is changed in place and keeps its old bytes there",
                    StringComparison.Ordinal
                )
        );
    }

    [Fact]
    public async Task A_file_is_changed_in_place_if_the_user_chose_so()
    {
        byte[] content = [.. Enumerable.Range(0, 10).SelectMany(_ => Bytes(BlockBytes))];
        backup.File("/s/image", content);
        backup.File("/s/other", Bytes(BlockBytes));
        Assert.Empty((await RestoreAsync()).Issues);
        byte[] changed = [.. content, 1, 2, 3];
        changed[5 * BlockBytes] ^= 1;
        File.WriteAllBytes(backup.At("image"), changed);
        using FileStream old = new(
            backup.At("image"),
            FileMode.Open,
            FileAccess.Read,
            FileShare.ReadWrite | FileShare.Delete
        );
        RestoreReport report = await RestoreAsync(new RestoreOptions { Overwrite = true, OverwriteInPlace = true });
        Assert.Empty(report.Issues);
        Assert.Equal(BlockBytes, report.BytesWritten);
        byte[] now = new byte[old.Length];
        old.ReadExactly(now);
        Assert.Equal(content, now);
        Assert.Equal(content, File.ReadAllBytes(backup.At("image")));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [NeedsPrograms(".ci/install-packages", "mkfs.btrfs")]
    public async Task Blocks_that_the_file_system_can_share_take_no_room(bool overwrite)
    {
        using ThinDisk? disk = ThinDisk.TryMount(400, "btrfs");
        Assert.SkipWhen(disk is null, "Only the root user can mount a disk with btrfs.");
        byte[] content = [.. Bytes(60 << 20), 1, 2, 3];
        backup.File("/s/image", content);
        backup.File("/s/other", Bytes(100));
        await using Backup opened = await Backup.OpenAsync(backup.Write().Source);
        RestoreOptions options = new() { Target = disk.Folder, Overwrite = overwrite };
        byte[] mine = [.. content];
        mine[5 * BlockBytes] ^= 1;
        await File.WriteAllBytesAsync(Path.Join(disk.Folder, "image"), mine, TestContext.Current.CancellationToken);
        Fill(Path.Join(disk.Folder, "fill"), left: 30 << 20);
        Assert.True(new DriveInfo(disk.Folder).AvailableFreeSpace < content.Length, "A second copy would have room");

        RestoreReport report = await opened.ExecuteAsync(await opened.PlanAsync(opened.Versions[0], options));
        Assert.Equal(overwrite ? [] : [IssueCode.Renamed], report.Issues.Select(issue => issue.Code));
        byte[][] files = [.. Directory.GetFiles(disk.Folder, "image*").Select(File.ReadAllBytes)];
        Assert.Contains(files, file => file.AsSpan().SequenceEqual(content));
        Assert.Equal(overwrite, !files.Any(file => file.AsSpan().SequenceEqual(mine)));
        Assert.Equal(overwrite ? 1 : 2, files.Length);
    }

    [Fact]
    public async Task A_plan_that_does_not_fit_as_a_whole_says_so_before()
    {
        Mount("", "size=1m");
        for (int i = 0; i < 4; i++)
        {
            backup.File($"/s/{i}", Bytes(400_000));
        }

        backup.Write();
        await using Backup opened = await Backup.OpenAsync(backup.Source);
        RestorePlan plan = await opened.PlanAsync(opened.Versions[0], new RestoreOptions { Target = backup.Target });
        RestoreIssue issue = Assert.Single(plan.Issues);
        Assert.Equal(
            (IssueKind.Warning, backup.Target, IssueCode.TargetTooSmall),
            (issue.Kind, issue.Path, issue.Code)
        );
        Assert.StartsWith(
            "The restore writes 1,600,000 bytes to the file system of this folder, and only ",
            issue.Reason,
            StringComparison.Ordinal
        );

        CliRun run = await CliRun.OfAsync(backup.Source, $"--restore-path={backup.Target}");
        Assert.Equal(ExitCodes.TargetNotWritable, run.ExitCode);
        Assert.StartsWith(
            $"Warning: {backup.Target}: The restore writes 1,600,000 bytes ",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.EndsWith(
            "run the restore again; it writes 1.5 MiB in all, and what is finished is kept\n",
            run.Error,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData(Flow.Network)]
    [InlineData(Flow.Legacy)]
    public async Task A_plan_made_without_room_for_a_file_restores_it_once_there_is_room(Flow flow)
    {
        Mount("", "size=4m");
        (string fill, RestorePlan plan) = await PlanWithoutRoomAsync();
        RestoreIssue issue = Assert.Single(plan.Issues, issue => issue.Kind == IssueKind.Refused);
        Assert.Equal(("/s/large", IssueCode.TargetTooSmall), (issue.Path, issue.Code));
        File.Delete(fill);
        RestoreReport report = await ExecuteAsync(plan, flow);
        Assert.Empty(report.Issues);
        Assert.Equal(2, report.FilesRestored);
        Assert.Equal(2 << 20, new FileInfo(backup.At("large")).Length);
    }

    [Fact]
    public async Task A_file_that_no_longer_fits_when_the_plan_runs_is_refused_and_the_others_are_restored()
    {
        Mount("", "size=4m");
        (string fill, RestorePlan plan) = await PlanWithoutRoomAsync();
        RestoreIssue planned = Assert.Single(plan.Issues, issue => issue.Kind == IssueKind.Refused);
        File.Delete(fill);
        await using Backup opened = await Backup.OpenAsync(backup.Source);
        plan = await opened.PlanAsync(opened.Versions[0], new RestoreOptions { Target = backup.Target });
        Assert.Empty(plan.Issues);
        File.WriteAllBytes(fill, Bytes(3 << 20));
        RestoreReport report = await ExecuteAsync(plan);
        RestoreIssue issue = Assert.Single(report.Issues);
        Assert.Equal((planned.Path, planned.Code, planned.Kind), (issue.Path, issue.Code, issue.Kind));
        Assert.Equal(planned.Reason.Split(" are free")[1], issue.Reason.Split(" are free")[1]);
        Assert.Equal(1, report.FilesRestored);
        Assert.False(File.Exists(backup.At("large")));
    }

    [Theory]
    [InlineData("size=1m", "size=8m", 0)]
    [InlineData("size=8m", "size=1m", 1)]
    public async Task A_target_that_is_mounted_after_the_plan_was_made_has_its_own_room(
        string planned,
        string mounted,
        int refused
    )
    {
        Mount("", planned);
        backup.File("/s/large", Bytes(2 << 20));
        backup.File("/s/little", Bytes(100_000));
        backup.Write();
        await using Backup opened = await Backup.OpenAsync(backup.Source);
        string target = Path.Join(backup.Target, "disk");
        RestorePlan plan = await opened.PlanAsync(opened.Versions[0], new RestoreOptions { Target = target });
        Mount("disk", mounted);
        RestoreReport report = await ExecuteAsync(plan);
        Assert.Equal(
            Enumerable.Repeat(("/s/large", IssueCode.TargetTooSmall), refused),
            report.Issues.Select(issue => (issue.Path, issue.Code))
        );
        Assert.Equal(2 - refused, report.FilesRestored);
    }

    [Fact]
    public async Task A_file_is_changed_in_place_when_the_room_for_a_second_one_is_gone_meanwhile()
    {
        Mount("", "size=4m");
        byte[] content = Bytes(20 * BlockBytes);
        backup.File("/s/image", content);
        byte[] changed = [.. content];
        changed[5 * BlockBytes] ^= 1;
        File.WriteAllBytes(backup.At("image"), changed);
        backup.Write();
        await using Backup opened = await Backup.OpenAsync(backup.Source);
        RestoreOptions options = new() { Target = backup.Target, Overwrite = true };
        RestorePlan plan = await opened.PlanAsync(opened.Versions[0], options);
        Assert.Empty(plan.Issues);
        File.WriteAllBytes(backup.At("fill"), Bytes(2 << 20));
        RestoreReport report = await ExecuteAsync(plan);
        Assert.True(report.IsComplete, Issues.Text(report));
        Assert.Equal(IssueCode.PatchedInPlace, Assert.Single(report.Issues).Code);
        Assert.Equal(content, File.ReadAllBytes(backup.At("image")));
    }

    [Fact]
    public async Task Shards_look_at_the_room_again_when_they_run()
    {
        Mount("", "size=4m");
        await PlanWithoutRoomAsync();
        using TempFolder plans = new();
        string saved = Path.Join(plans.Path, "p.rplan");
        ProgramRun made = await ProgramRun.OfAsync(
            "plan",
            backup.Source,
            $"--restore-path={backup.Target}",
            $"--save={saved}"
        );
        Assert.Equal(ExitCodes.Incomplete, made.ExitCode);
        ProgramRun without = await ProgramRun.OfAsync("run", saved, "--shard=all", "--shards=2");
        Assert.Equal(ExitCodes.Incomplete, without.ExitCode);
        Assert.Contains("are free at the target", without.Output, StringComparison.Ordinal);

        File.Delete(backup.At("fill"));
        ProgramRun run = await ProgramRun.OfAsync("run", saved, "--shard=all", "--shards=2");
        Assert.Equal((ExitCodes.Complete, ""), (run.ExitCode, run.Error));
        Assert.DoesNotContain("are free at the target", run.Output, StringComparison.Ordinal);
        Assert.Equal(2 << 20, new FileInfo(backup.At("large")).Length);
    }

    public void Dispose()
    {
        mounts.Reverse();
        mounts.ForEach(Native.Unmount);
        backup.Dispose();
    }

    private async Task<RestoreReport> RestoreAsync(RestoreSetup? options = null) =>
        await backup.Write().RestoreAsync(options ?? new RestoreOptions());

    /// <summary>A plan for two files, of which one does not fit: a third file takes its room.</summary>
    private async Task<(string Fill, RestorePlan Plan)> PlanWithoutRoomAsync()
    {
        backup.File("/s/large", Bytes(2 << 20));
        backup.File("/s/little", Bytes(100_000));
        backup.Write();
        string fill = backup.At("fill");
        File.WriteAllBytes(fill, Bytes(3 << 20));
        await using Backup opened = await Backup.OpenAsync(backup.Source);
        return (fill, await opened.PlanAsync(opened.Versions[0], new RestoreOptions { Target = backup.Target }));
    }

    /// <summary>Executes a plan that was saved and loaded.</summary>
    private async Task<RestoreReport> ExecuteAsync(RestorePlan plan, Flow flow = Flow.Network)
    {
        using MemoryStream saved = new();
        await plan.SaveAsync(saved);
        saved.Position = 0;
        await using Backup opened = await Backup.OpenAsync(backup.Source);
        return await opened.ExecuteAsync(
            await RestorePlan.LoadAsync(saved),
            new ExecuteOptions { Legacy = flow == Flow.Legacy }
        );
    }

    /// <summary>Fills a file system with a file, but for some room.</summary>
    private void Fill(string path, int left)
    {
        using FileStream fill = new(path, FileMode.CreateNew, FileAccess.Write, FileShare.None, bufferSize: 0);
        byte[] piece = Bytes(1 << 20);
        try
        {
            while (true)
            {
                fill.Write(piece);
                fill.Flush(flushToDisk: true);
            }
        }
        catch (IOException)
        {
            fill.SetLength(fill.Length - left);
        }

        // btrfs has the room of what was cut off when it has written that down.
        using Process sync = Process.Start("sync", ["--file-system", path]);
        sync.WaitForExit();
    }

    private byte[] Bytes(int length)
    {
        byte[] bytes = new byte[length];
        random.NextBytes(bytes);
        return bytes;
    }

    private void Mount(string path, string options)
    {
        string folder = Directory.CreateDirectory(backup.At(path)).FullName;
        if (!Native.Mount(folder, options))
        {
            Assert.Skip("Only the root user can mount a small file system.");
        }

        mounts.Add(folder);
    }
}
