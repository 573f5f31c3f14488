using Restore.Catalog;
using Restore.Reporting;
using Restore.Restoring;
using Restore.Tests.Streams;

namespace Restore.Tests.Restoring;

/// <summary>
/// A drill has no file to read back for its hash, so it reads blocks again: not a whole volume for
/// each file.
/// </summary>
public sealed class OpenHashesTests
{
    private const long DefaultMemoryBytes = 4L << 30;

    [Theory]
    [InlineData(40, 250_000, DefaultMemoryBytes, 0)]
    [InlineData(1, 20 << 20, 0, 4)]
    public async Task Volumes_that_must_be_read_whole_are_read_once_more_for_all_their_files(
        int files,
        int bytesEach,
        long memoryBytes,
        int mostFurther
    )
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using MadeBackup made = await MadeBackup.WriteAsync(files, bytesEach);
        await using Backup backup = await Backup.OpenAsync(made.Store, new BackupOptions(), token);
        RestorePlan plan = await backup.PlanAsync(
            backup.Versions[0],
            new RestoreOptions { VerifyOnly = true },
            cancellationToken: token
        );
        PassResult pass = new(
            plan.Pass.Content,
            results: null,
            new VolumeTally(new ProgressMeter(TimeProvider.System))
        );
        foreach (EntryId entry in plan.Pass.Included().Where(plan.Pass.Content.IsFile))
        {
            pass.Add(new FileOutcome(entry, OutcomeKind.Restored) { IsHashOpen = true });
        }

        RunResult run = new(plan, new EntryStates(plan.Pass.Entries.Count));
        run.Add(plan.Pass, pass);
        made.Store.ForgetReads();
        Execution execution = new(
            backup.Session,
            new ExecuteOptions { Tuning = new() { RangeReads = RangeReads.Never } }
        );
        await OpenHashes.VerifyAsync(run, execution.Blocks, memoryBytes, token);

        Assert.Equal(files, pass.FilesRestored);
        int volumes = made.Store.Names.Count(name => name.Contains(".dblock.", StringComparison.Ordinal));
        Assert.InRange(made.Store.ReadsOf(".dblock."), 1, volumes + mostFurther);
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
    }
}
