using System.Buffers;
using Restore.Ends;
using Restore.Planning;
using Restore.Planning.Records;
using Restore.Restoring;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Restoring;

/// <summary>Records of runs at a target that fails: none stays that no run removes any more.</summary>
public sealed class RecordFailureTests : IDisposable
{
    private static readonly EnumerationOptions FoldersNotLinks = new() { AttributesToSkip = FileAttributes.ReparsePoint, RecurseSubdirectories = true };

    private readonly TempFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Fact]
    public void Records_that_were_read_before_the_target_was_lost_are_free_for_the_next_run()
    {
        Directory.CreateDirectory(folder.Root);
        foreach (ulong run in new ulong[] { 1, 2 })
        {
            ArrayBufferWriter<byte> item = new();
            RecordFormat.Write(item, RecordFormat.Made, $"file-{run}");
            File.WriteAllBytes(folder.In(RecordNames.Record(run)), [.. RecordFormat.Head, .. item.WrittenSpan]);
        }

        int opened = 0;
        using IRestoreTarget target = FileSystemTarget.Open(folder.Root);
        WatchedTarget lost = new(target, operation =>
        {
            if (operation == "OpenFile" && ++opened == 2)
            {
                throw new RestoreException(RestoreErrorCode.TargetLost, "The target is gone");
            }
        });
        Assert.Throws<RestoreException>(() => EarlierRuns.Read(lost, "", new IssueLog()));

        using EarlierRuns earlier = EarlierRuns.Read(target, "", new IssueLog());
        Assert.True(earlier.Name("file-1") && earlier.Name("file-2"));
        Assert.Null(earlier.RemoveRecords(target, _ => true));
        Assert.Empty(Directory.GetFiles(folder.Root));
    }

    [Fact]
    public async Task A_record_whose_creation_failed_half_does_not_stay()
    {
        (RestoreReport report, int tries) = await RestoreAsync(refusals: int.MaxValue);
        Assert.True(report.FilesRestored > 0);
        Assert.Contains(report.Issues, issue => issue.Reason.StartsWith("The record of the restore could not be written", StringComparison.Ordinal));
        Assert.Equal(3, tries);
    }

    [Fact]
    public async Task A_record_that_could_not_be_made_is_made_with_the_next_file()
    {
        (RestoreReport report, int tries) = await RestoreAsync(refusals: 1);
        Assert.DoesNotContain(report.Issues, issue => issue.Reason.StartsWith("The record ", StringComparison.Ordinal));
        Assert.Equal(2, tries);
    }

    /// <summary>Restores to a target that makes the record, and then says that it could not.</summary>
    private async Task<(RestoreReport Report, int Tries)> RestoreAsync(int refusals)
    {
        int tries = 0;
        FixtureBackup fixture = FixtureCatalog.BackupsOf("plain-1mb").Single();
        await using Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options());
        RestoreSession session = backup.Session with
        {
            OpenTarget = given => new WatchedTarget(FileSystemTarget.Open(given.Target!), _ => { })
            {
                Opened = path =>
                {
                    if (RecordNames.IsRecord(path) && ++tries <= refusals)
                    {
                        throw new IOException("It could not be looked at");
                    }
                },
            },
        };
        RestoreOptions options = FixtureRestore.Whole(folder.Root, Flow.Network);
        Engine engine = session.EngineFor(options);
        ProgressMeter meter = new(TimeProvider.System, () => 0);
        using IRestoreTarget target = session.OpenTarget(options);
        PlanningContext context = session.PlanningFor(engine, target, originalPlaces: null);
        RestorePlan plan = await new PlanBuilder(context, options, meter).BuildAsync(backup.Versions[0], default);
        RestoreReport report = await new RestoreRun(session, engine, plan, new ExecuteOptions(), meter).RunAsync(default);
        Assert.Empty(Directory.GetFiles(folder.Root, ".restore-*", FoldersNotLinks));
        return (report, tries);
    }
}
