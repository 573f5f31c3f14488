using System.Collections.Concurrent;
using Restore.Restoring;

namespace Restore.Tests.Restoring;

/// <summary>The progress of a restore.</summary>
public sealed class ProgressTests
{
    [Theory]
    [InlineData("plain-1mb", false)]
    [InlineData("plain-1mb", true)]
    [InlineData("damaged/dblock-truncated-plain", false)]
    [InlineData("damaged/dblock-truncated-plain", true)]
    public async Task Files_are_counted_up_to_the_number_of_files_and_folders_are_not(string fixture, bool legacy)
    {
        using NetworkRig rig = new(fixture);
        Told told = new();
        ExecuteOptions execution = NetworkRig.Narrow with { Legacy = legacy, Progress = told };
        RestorePlan plan = await rig.PlanAsync(null, execution, TestContext.Current.CancellationToken);
        await rig.ExecuteAsync(plan, execution, cancellationToken: TestContext.Current.CancellationToken);

        RestoreProgress[] restoring = [.. told.Where(progress => progress.Phase == RestorePhase.Restoring)];
        Assert.All(restoring, progress => Assert.InRange(progress.FilesDone, 0, progress.FilesTotal));
        Assert.True(restoring[^1].FilesTotal > 1);
        Assert.Equal(restoring[^1].FilesTotal, restoring[^1].FilesDone);
    }

    private sealed class Told : ConcurrentQueue<RestoreProgress>, IProgress<RestoreProgress>
    {
        public void Report(RestoreProgress value) => Enqueue(value);
    }
}
