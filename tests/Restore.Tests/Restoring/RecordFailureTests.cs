using System.Buffers;
using System.Collections.Concurrent;
using Restore.Catalog;
using Restore.Ends;
using Restore.Planning;
using Restore.Restoring;
using Restore.Resume;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Restoring;

/// <summary>
/// Records of runs, also at a target that fails: none stays that no run removes any more, and none
/// comes too late.
/// </summary>
public sealed class RecordFailureTests : IDisposable
{
    private static readonly EnumerationOptions FoldersNotLinks = new()
    {
        AttributesToSkip = FileAttributes.ReparsePoint,
        RecurseSubdirectories = true,
    };

    private readonly TempFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Fact]
    public void Records_that_were_read_before_the_target_was_lost_are_free_for_the_next_run()
    {
        Directory.CreateDirectory(folder.Root);
        foreach (ulong run in new ulong[] { 1, 2 })
        {
            ArrayBufferWriter<byte> item = new();
            RecordFormat.Write(item, 1, $"file-{run}");
            File.WriteAllBytes(folder.In(RecordNames.Record(run)), [.. RecordFormat.Head, .. item.WrittenSpan]);
        }

        int opened = 0;
        using IRestoreTarget target = FileSystemTarget.Open(folder.Root);
        WatchedTarget lost = new(
            target,
            operation =>
            {
                if (operation == "OpenFile" && ++opened == 2)
                {
                    throw new RestoreException(RestoreErrorCode.TargetLost, "The target is gone");
                }
            }
        );
        Assert.Throws<RestoreException>(() => EarlierRuns.Read(lost, "", new IssueLog()));

        using EarlierRuns earlier = EarlierRuns.Read(target, "", new IssueLog());
        Assert.True(earlier.Name("file-1") && earlier.Name("file-2"));
        Assert.Null(earlier.RemoveRecords(target, _ => true));
        Assert.Empty(Directory.GetFiles(folder.Root));
    }

    [Fact]
    public void A_partial_file_that_cannot_be_removed_keeps_its_record_until_it_can()
    {
        Directory.CreateDirectory(folder.Root);
        string record = folder.In(RecordNames.Record(1));
        File.WriteAllBytes(record, RecordFormat.Head);
        string partial = PartialFiles.Leave(record, "file", [1], folder.Root);
        bool isStuck = true;
        using IRestoreTarget target = FileSystemTarget.Open(folder.Root);
        WatchedTarget watched = new(
            target,
            operation =>
            {
                if (operation == "DeleteFile" && isStuck)
                {
                    throw new IOException("It stays");
                }
            }
        );
        using EarlierRuns earlier = EarlierRuns.Read(watched, "", new IssueLog());
        Assert.Equal(
            "The record of an interrupted restore could not be removed: It stays",
            earlier.RemoveRecords(watched, _ => true)
        );
        Assert.True(File.Exists(record) && File.Exists(partial));
        isStuck = false;
        Assert.Null(earlier.RemoveRecords(watched, _ => true));
        Assert.Empty(Directory.GetFiles(folder.Root));
    }

    [Fact]
    public async Task A_record_whose_creation_failed_half_does_not_stay()
    {
        (RestoreReport report, int tries) = await RestoreAsync(refusals: int.MaxValue);
        Assert.True(report.FilesRestored > 0);
        Assert.Contains(
            report.Issues,
            issue => issue.Reason.StartsWith("The record of the restore could not be written", StringComparison.Ordinal)
        );
        Assert.Equal(3, tries);
    }

    [Fact]
    public async Task A_record_that_could_not_be_made_is_made_with_the_next_file()
    {
        (RestoreReport report, int tries) = await RestoreAsync(refusals: 1);
        Assert.DoesNotContain(report.Issues, issue => issue.Reason.StartsWith("The record ", StringComparison.Ordinal));
        Assert.Equal(2, tries);
    }

    [Fact]
    public async Task Names_that_could_not_be_written_are_written_with_the_next_file()
    {
        // The head, and then the first names; no file is written before.
        int writes = 0;
        await using Rig rig = await Rig.OpenAsync(
            folder.Root,
            before: call =>
            {
                if (call == "Write" && Interlocked.Increment(ref writes) == 2)
                {
                    throw new IOException("It could not be written");
                }
            }
        );
        RestoreReport report = await rig.RunAsync();
        Assert.True(report.IsComplete, Issues.Text(report));
        Assert.DoesNotContain(report.Issues, issue => issue.Reason.StartsWith("The record ", StringComparison.Ordinal));
        Assert.Empty(Directory.GetFiles(folder.Root, ".restore-*", FoldersNotLinks));
    }

    [Fact]
    public async Task A_record_of_another_machine_with_the_same_name_stays()
    {
        const ulong Run = 7;
        Directory.CreateDirectory(folder.Root);
        await using Rig rig = await Rig.OpenAsync(folder.Root);
        string path = folder.In(RecordNames.Record(Run));
        await File.WriteAllTextAsync(path, "of another machine", TestContext.Current.CancellationToken);
        EntryId file = EntryId.UpTo(rig.Plan.Pass.Entries.Count).AsEnumerable().First(rig.Plan.Pass.WritesFile);
        using RunRecord record = RestoreRun.RecordOf(rig.Plan, rig.Target, Run, flushes: true);
        record.Intend(file);
        Assert.StartsWith("The record of the restore could not be written", record.Problem, StringComparison.Ordinal);
        Assert.Equal("of another machine", await File.ReadAllTextAsync(path, TestContext.Current.CancellationToken));
    }

    [Theory]
    [InlineData(Flow.Network)]
    [InlineData(Flow.Legacy)]
    public async Task The_device_has_the_record_before_the_first_file_is_made(Flow flow)
    {
        ConcurrentQueue<string> calls = [];
        await using Rig rig = await Rig.OpenAsync(
            folder.Root,
            flow,
            calls.Enqueue,
            path => calls.Enqueue(RecordNames.IsRecord(path) ? "the record is there" : "a file is there")
        );
        await rig.RunAsync();
        string[] before =
        [
            .. calls.SkipWhile(call => call != "the record is there").TakeWhile(call => call != "a file is there"),
        ];
        Assert.True(before.Length < calls.Count);

        // The head, the names, the flush. Another file's names may be on their way when this one is
        // made.
        Assert.Equal(
            ["Write", "Write", "Flush of a file"],
            before.Where(call => call is "Write" or "Flush of a file").Take(3)
        );
    }

    /// <summary>
    /// Restores to a target that makes the record, and then says that it could not.
    /// </summary>
    [Theory]
    [InlineData(ulong.MaxValue, true)]
    [InlineData(0ul, false)]
    public async Task Of_two_runs_that_see_each_other_the_one_whose_record_is_first_goes_on(ulong rival, bool goesOn)
    {
        string record = folder.In(RecordNames.Record(rival));
        string? made = null;
        ITargetFile? held = null;
        int looks = 0;
        Directory.CreateDirectory(folder.Root);
        using IRestoreTarget target = FileSystemTarget.Open(folder.Root);
        await using Rig rig = await Rig.OpenAsync(folder.Root, before: Look, opened: Begin);
        made = rig.Plan.Pass.Entries.TargetPath(rig.Plan.Pass.Included().First(rig.Plan.Pass.WritesFile));

        Task<RestoreReport> run = rig.RunAsync();

        if (goesOn)
        {
            Assert.True((await run).IsComplete);
            Assert.Empty(Directory.GetFiles(folder.Root, ".restore-*"));
        }
        else
        {
            Assert.Equal(RestoreErrorCode.TargetInUse, (await Assert.ThrowsAsync<RestoreException>(() => run)).Code);
            Assert.Equal([record], Directory.GetFiles(folder.Root, ".restore-*"));
        }

        Assert.Equal(goesOn ? 2 : 1, looks);
        held!.Dispose();

        // The other run begins when this one does, and ends before its second look.
        void Begin(string path)
        {
            if (made is not null && held is null && RecordNames.IsRecord(path))
            {
                ArrayBufferWriter<byte> item = new();
                RecordFormat.Write(item, new EntryId(1), made);
                File.WriteAllBytes(record, [.. RecordFormat.Head, .. item.WrittenSpan]);
                held = target.OpenFile(Path.GetFileName(record), TargetOpenMode.Read);
                Assert.True(held.TryLock());
            }
        }

        void Look(string operation)
        {
            if (operation == nameof(IRestoreTarget.NamesIn) && held is not null && ++looks == 2)
            {
                held.Dispose();
                File.Delete(record);
            }
        }
    }

    private async Task<(RestoreReport Report, int Tries)> RestoreAsync(int refusals)
    {
        int tries = 0;
        await using Rig rig = await Rig.OpenAsync(
            folder.Root,
            opened: path =>
            {
                if (RecordNames.IsRecord(path) && ++tries <= refusals)
                {
                    throw new IOException("It could not be looked at");
                }
            }
        );
        RestoreReport report = await rig.RunAsync();
        Assert.Empty(Directory.GetFiles(folder.Root, ".restore-*", FoldersNotLinks));
        return (report, tries);
    }

    /// <summary>A plan for a target that is watched.</summary>
    private sealed record Rig(
        Backup Backup,
        RestoreSession Session,
        Execution Execution,
        ProgressMeter Meter,
        IRestoreTarget Target,
        RestorePlan Plan
    ) : IAsyncDisposable
    {
        public static async Task<Rig> OpenAsync(
            string folder,
            Flow flow = Flow.Network,
            Action<string>? before = null,
            Action<string>? opened = null
        )
        {
            FixtureBackup fixture = FixtureCatalog.BackupsOf("plain-1mb").Single();
            Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options());
            RestoreSession session = backup.Session with
            {
                OpenTarget = (given, _) =>
                    new WatchedTarget(FileSystemTarget.Open(given.Target!), before ?? (_ => { })) { Opened = opened },
            };
            RestoreSetup options = FixtureRestore.Whole(folder).By(flow);
            Execution execution = new(session, options.How);
            ProgressMeter meter = new(TimeProvider.System);
            IRestoreTarget target = session.OpenTarget(options.What, true);
            PlanningContext context = execution.PlanningFor(target, originalPlaces: null);
            RestorePlan plan = await new PlanBuilder(context, options.What, meter).BuildAsync(
                backup.Versions[0],
                default
            );
            return new Rig(backup, session, execution, meter, target, plan);
        }

        public Task<RestoreReport> RunAsync() => new RestoreRun(Execution, Plan, Meter).RunAsync(default);

        public ValueTask DisposeAsync()
        {
            Target.Dispose();
            return Backup.DisposeAsync();
        }
    }
}
