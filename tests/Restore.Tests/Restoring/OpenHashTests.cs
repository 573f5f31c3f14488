using Restore.Tests.FixtureTests;
using Restore.Tests.Streams;

namespace Restore.Tests.Restoring;

/// <summary>A drill has no file to read back for its hash, so it reads blocks again: not a whole volume for each file.</summary>
public sealed class OpenHashTests
{
    private const long DefaultMemoryBytes = 4L << 30;

    [Theory]
    [InlineData(40, 250_000, DefaultMemoryBytes, 0)]
    [InlineData(1, 20 << 20, 0, 4)]
    public async Task Volumes_that_must_be_read_whole_are_read_once_more_for_all_their_files(int files, int bytesEach, long memoryBytes, int mostFurther)
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using MadeBackup made = await MadeBackup.WriteAsync(files, bytesEach);
        await using Backup backup = await Backup.OpenAsync(made.Store, new BackupOptions(), token);
        RestoreOptions options = new() { VerifyOnly = true, Legacy = true, Tuning = new RestoreTuning { CacheMaxBytes = memoryBytes } };
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], options, cancellationToken: token);
        made.Store.ForgetReads();

        RestoreReport report = await backup.ExecuteAsync(plan, cancellationToken: token);
        Assert.True(report.IsComplete, Issues.Text(report));
        Assert.Equal(files, report.FilesRestored);
        int volumes = made.Store.Names.Count(name => name.Contains(".dblock.", StringComparison.Ordinal));
        Assert.InRange(made.Store.ReadsOf(".dblock."), volumes + 1, (2 * volumes) + mostFurther);
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
    }
}
