using System.Globalization;
using Restore.Resume;
using Restore.Tests.Ends;

namespace Restore.Tests.Restoring;

/// <summary>
/// A restore that was interrupted is completed by running it again, and by nothing else; what is
/// the user's stays.
/// </summary>
public sealed partial class InterruptedRunTests : IAsyncLifetime
{
    private readonly TempFolder folder = TempFolder.WithVictim();
    private TreeBackup tree = null!;

    private string Target => folder.Root;

    private string[] Records => Directory.Exists(Target) ? Directory.GetFiles(Target, ".restore-*") : [];

    public async ValueTask InitializeAsync() => tree = await TreeBackup.WriteAsync(files: 30, largeFiles: 2);

    public ValueTask DisposeAsync()
    {
        tree.Dispose();
        folder.AssertOutsideUntouched();
        folder.Dispose();
        return ValueTask.CompletedTask;
    }

    [Theory]
    [InlineData(false, 1)]
    [InlineData(false, 20)]
    [InlineData(true, 1)]
    [InlineData(true, 20)]
    public async Task A_cancelled_restore_is_completed_by_the_next_one(bool isLegacy, int after)
    {
        await InterruptAsync(new RestoreOptions { Target = Target }.Legacy(isLegacy), after);
        await AssertCompletesAsync(new RestoreOptions { Target = Target }.Legacy(!isLegacy));
        tree.AssertRestored(Target);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(70_000)]
    public async Task What_a_killed_run_left_of_a_file_is_continued_under_its_own_name(int keptBytes)
    {
        await InterruptAsync();
        LeaveUnfinished(tree.Largest, tree.ContentOf(tree.Largest)[..keptBytes]);
        await AssertCompletesAsync(new RestoreOptions { Target = Target });
        tree.AssertRestored(Target);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Zeros_of_a_file_that_is_continued_in_place_become_a_hole_unless_it_is_preallocated(
        bool preallocates
    )
    {
        await InterruptAsync();
        byte[] content = tree.ContentOf(tree.Largest);
        byte[] garbage = new byte[content.Length];
        Array.Fill(garbage, (byte)7);
        LeaveUnfinished(tree.Largest, garbage);
        await AssertCompletesAsync(
            new RestoreOptions { Target = Target }.With(
                new ExecuteOptions { Tuning = new() { PreallocateSize = preallocates } }
            )
        );
        tree.AssertRestored(Target);
        long room = Native.Room(Path.Join(Target, tree.Largest));
        Assert.True(
            preallocates ? room >= content.Length : room <= content.Length - 90_000,
            $"{room:N0} of {content.Length:N0}"
        );
    }

    [Fact]
    public async Task Zeros_of_a_file_that_replaces_one_with_the_same_zeros_are_a_hole()
    {
        byte[] content = tree.ContentOf(tree.Largest);
        string path = Path.Join(Target, tree.Largest);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, [(byte)(content[0] + 1), .. content.AsSpan(1)]);
        Assert.True(Native.Room(path) >= content.Length);
        await AssertCompletesAsync(new RestoreOptions { Target = Target, Overwrite = true });
        tree.AssertRestored(Target);
        Assert.InRange(Native.Room(path), 1, content.Length - 90_000);
    }

    [Fact]
    public async Task A_finished_file_that_lost_its_content_with_the_power_gets_the_right_one_next_to_it_even_if_times_are_trusted()
    {
        await InterruptAsync();
        string file = Path.Join(Target, tree.Files[5]);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllBytes(file, new byte[tree.ContentOf(tree.Files[5]).Length]);
        File.SetLastWriteTimeUtc(file, File.GetLastWriteTimeUtc(Path.Join(tree.Source, tree.Files[5])));
        await AssertCompletesAsync(new RestoreOptions { Target = Target, TrustTimes = true });
        byte[] content = tree.ContentOf(tree.Files[5]);
        tree.AssertRestored(
            Target,
            new Dictionary<string, byte[]>
            {
                [tree.Files[5]] = new byte[content.Length],
                [Beside(tree.Files[5])] = content,
            }
        );
    }

    [Fact]
    public async Task Files_of_the_users_stay_whatever_their_time_says()
    {
        await InterruptAsync(after: 1);
        (string Path, DateTime? Time)[] files =
        [
            (tree.Files[3], File.GetLastWriteTimeUtc(Path.Join(tree.Source, tree.Files[3]))),
            (tree.Files[4], null),
            (tree.Largest, TimeProvider.System.GetUtcNow().UtcDateTime.AddSeconds(-2)),
        ];
        Dictionary<string, byte[]> others = [];
        foreach ((string path, DateTime? time) in files)
        {
            string full = Path.Join(Target, path);
            byte[] own = tree.ContentOf(path);
            own[^1] ^= 1;
            Directory.CreateDirectory(Path.GetDirectoryName(full)!);
            File.WriteAllBytes(full, own);
            Native.SetMode(full, 0x380);
            File.SetLastWriteTimeUtc(full, time ?? TimeProvider.System.GetUtcNow().UtcDateTime);
            others.Add(path, own);
            others.Add(Beside(path), tree.ContentOf(path));
        }

        await AssertCompletesAsync(new RestoreOptions { Target = Target });
        tree.AssertRestored(Target, others);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_file_that_somebody_makes_while_the_restore_runs_stays_and_the_restored_one_gets_a_name_next_to_it(
        bool isLegacy
    )
    {
        await using Backup backup = await Backup.OpenAsync(tree.Location);
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = Target });
        string path = Path.Join(Target, tree.Files[6]);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, [1, 2, 3]);
        RestoreReport report = await backup.ExecuteAsync(plan, new ExecuteOptions { Legacy = isLegacy });
        Assert.True(report.IsComplete, string.Join('\n', report.Issues));
        RestoreIssue issue = Assert.Single(report.Issues);
        Assert.Equal((IssueCode.Renamed, Path.Join(Target, Beside(tree.Files[6]))), (issue.Code, issue.TargetPath));
        tree.AssertRestored(
            Target,
            new Dictionary<string, byte[]>
            {
                [tree.Files[6]] = [1, 2, 3],
                [Beside(tree.Files[6])] = tree.ContentOf(tree.Files[6]),
            }
        );
    }

    [Fact]
    public async Task A_partial_file_that_replaces_one_of_the_users_is_continued()
    {
        string path = tree.Largest;
        byte[] content = tree.ContentOf(path);
        Directory.CreateDirectory(Path.GetDirectoryName(Path.Join(Target, path))!);
        File.WriteAllBytes(Path.Join(Target, path), [7, 7, 7]);
        await InterruptAsync(new RestoreOptions { Target = Target, Overwrite = true }, after: 1);
        string record = Records.Single();
        PartialFiles.Leave(record, path, content.AsSpan(0, 1_000_000), Target);
        RestoreReport report = await RestoreAsync(new RestoreOptions { Target = Target, Overwrite = true });
        Assert.True(report.IsComplete, string.Join('\n', report.Issues));
        Assert.True(report.BytesReused >= 950_000, $"{report.BytesReused:N0}");
        Assert.Empty(Records);
        tree.AssertRestored(Target);
    }

    [Fact]
    public async Task A_file_that_the_user_changed_after_the_interruption_stays_in_every_later_run()
    {
        string path = tree.Files[7];
        await InterruptAsync();
        await InterruptAsync();
        byte[] own = [7, 7, 7];
        Directory.CreateDirectory(Path.GetDirectoryName(Path.Join(Target, path))!);
        File.WriteAllBytes(Path.Join(Target, path), own);
        File.SetLastWriteTimeUtc(Path.Join(Target, path), TimeProvider.System.GetUtcNow().UtcDateTime.AddMinutes(1));
        await InterruptAsync();
        await AssertCompletesAsync(new RestoreOptions { Target = Target });
        tree.AssertRestored(
            Target,
            new Dictionary<string, byte[]> { [path] = own, [Beside(path)] = tree.ContentOf(path) }
        );
    }

    [Fact]
    public async Task What_a_killed_run_left_of_a_file_that_the_user_has_made_since_is_removed()
    {
        string path = tree.Largest;
        byte[] own = [7, 7, 7];
        await InterruptAsync();
        LeaveUnfinished(path, tree.ContentOf(path)[..70_000]);
        File.WriteAllBytes(Path.Join(Target, path), own);
        await AssertCompletesAsync(new RestoreOptions { Target = Target });
        tree.AssertRestored(
            Target,
            new Dictionary<string, byte[]> { [path] = own, [Beside(path)] = tree.ContentOf(path) }
        );
    }

    [Fact]
    public async Task What_a_killed_run_left_beside_a_file_of_the_users_is_continued()
    {
        string path = tree.Largest;
        byte[] own = [7, 7, 7];
        Directory.CreateDirectory(Path.GetDirectoryName(Path.Join(Target, path))!);
        File.WriteAllBytes(Path.Join(Target, path), own);
        await InterruptAsync();
        LeaveUnfinished(Beside(path), tree.ContentOf(path)[..70_000]);
        await AssertCompletesAsync(new RestoreOptions { Target = Target });
        tree.AssertRestored(
            Target,
            new Dictionary<string, byte[]> { [path] = own, [Beside(path)] = tree.ContentOf(path) }
        );
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_restore_that_filled_the_disk_completes_when_there_is_room(bool isLegacy)
    {
        Directory.CreateDirectory(Target);
        if (!Native.Mount(Target, "size=2m"))
        {
            Assert.Skip("Only the root user can mount a small file system.");
        }

        try
        {
            RestoreSetup options = new RestoreOptions { Target = Target }.Legacy(isLegacy);
            RestoreException full = await Assert.ThrowsAsync<RestoreException>(() => RestoreAsync(options));
            Assert.Equal(RestoreErrorCode.TargetFull, full.Code);
            Native.Remount(Target, "size=100m");
            await AssertCompletesAsync(options);
            tree.AssertRestored(Target);
        }
        finally
        {
            Native.Unmount(Target);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_plan_and_a_drill_make_no_record_and_leave_one_alone(bool isDrill)
    {
        RestoreOptions options = new() { Target = Target, VerifyOnly = isDrill };
        await using Backup backup = await Backup.OpenAsync(tree.Location);
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], options);
        Assert.True(!isDrill || (await backup.ExecuteAsync(plan)).IsComplete);
        Assert.False(Path.Exists(Target));

        string record = await InterruptAsync();
        plan = await backup.PlanAsync(backup.Versions[0], options);
        Assert.True(!isDrill || (await backup.ExecuteAsync(plan)).IsComplete);
        Assert.Equal([record], Records);
    }

    private static string Beside(string path) =>
        Path.ChangeExtension(
            path,
            $".{TimeProvider.System.GetLocalNow().ToString("yyyy-MM-dd", CultureInfo.InvariantCulture)}.bin"
        );

    private async Task<RestoreReport> RestoreAsync(
        RestoreSetup options,
        IProgress<EntryResult>? entries = null,
        CancellationToken cancellationToken = default
    )
    {
        await using Backup backup = await Backup.OpenAsync(tree.Location, cancellationToken: default);
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], options, default);
        return await backup
            .ExecuteAsync(plan, options.How with { Entries = entries }, cancellationToken)
            .WaitAsync(TimeSpan.FromSeconds(60), default(CancellationToken));
    }

    private async Task AssertCompletesAsync(RestoreSetup options)
    {
        RestoreReport report = await RestoreAsync(options);
        Assert.True(report.IsComplete, string.Join('\n', report.Issues));
        Assert.Empty(Records);
    }

    /// <summary>
    /// Cancels a restore after some entries; again, a little later, if it had not begun to write.
    /// </summary>
    /// <returns>The path of its record; "" if it wrote nothing that needs one.</returns>
    private async Task<string> InterruptAsync(RestoreSetup? options = null, int after = 12)
    {
        const int Tries = 5;
        string[] before = Records;
        for (int more = 0; more < Tries && Records.Length == before.Length; more++)
        {
            using CancellationTokenSource cancellation = new();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
                RestoreAsync(
                    options ?? new RestoreOptions { Target = Target },
                    new CancelAfter(cancellation, after + more),
                    cancellation.Token
                )
            );
        }

        return Records.Except(before).SingleOrDefault() ?? "";
    }

    /// <summary>
    /// Leaves a file as a killed run does: in the middle of being written, and its own alone.
    /// </summary>
    private void LeaveUnfinished(string path, byte[] content)
    {
        string full = Path.Join(Target, path);
        Directory.CreateDirectory(Path.GetDirectoryName(full)!);
        File.Delete(full);
        PartialFiles.Leave(
            Records.First(name => name.EndsWith(".unfinished", StringComparison.Ordinal)),
            path,
            content,
            Target
        );
    }

    private sealed class CancelAfter(CancellationTokenSource cancellation, int count) : IProgress<EntryResult>
    {
        private int seen;

        public void Report(EntryResult value)
        {
            if (Interlocked.Increment(ref seen) >= count)
            {
                cancellation.Cancel();
            }
        }
    }
}
