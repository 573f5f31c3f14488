using System.Globalization;
using Restore.Cli;
using Restore.Tests.Streams;
using Restore.Tests.Support;

namespace Restore.Tests.Restoring;

/// <summary>What is reported as restored is on the device.</summary>
public sealed class FlushingTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_a_device_did_not_take_is_doubtful_and_files_that_it_lost_are_named(bool isLegacy)
    {
        const int Files = 100;
        using ThinDisk? disk = ThinDisk.TryMount(realMegabytes: 12);
        if (disk is null)
        {
            Assert.Skip("A thin disk can only be mounted by the root user of a system with loop devices.");
        }

        using MadeBackup made = await MadeBackup.WriteAsync(Files, bytesEach: 200_000);
        string target = Path.Combine(disk.Folder, "target");
        RestoreReport report = await RestoreAsync(made, new RestoreOptions { Target = target }.Legacy(isLegacy));

        RestoreIssue[] doubtful = [.. report.Issues.Where(issue => issue.Kind == IssueKind.Doubtful)];
        Assert.All(doubtful, issue => Assert.Equal(IssueCode.NotFlushed, issue.Code));
        Assert.Contains(
            "all 100 files",
            Assert.Single(doubtful, issue => issue.Path == target).Reason,
            StringComparison.Ordinal
        );
        Assert.True(doubtful.Length > 1, "No file is named");
        Assert.Equal(ExitCodes.TargetNotWritable, ExitCodes.Of(report));

        disk.Reattach();
        foreach (RestoreIssue issue in doubtful.Where(issue => issue.Path != target))
        {
            byte[] content = made.ContentOf(int.Parse(Path.GetFileName(issue.Path), CultureInfo.InvariantCulture));
            Assert.False(
                File.Exists(issue.TargetPath) && File.ReadAllBytes(issue.TargetPath).AsSpan().SequenceEqual(content),
                issue.Path
            );
        }
    }

    [Fact]
    public async Task A_sound_device_leaves_nothing_doubtful_and_the_report_has_the_time_of_the_flush()
    {
        using TempFolder folder = new();
        using MadeBackup made = await MadeBackup.WriteAsync(files: 3, bytesEach: 200_000);
        RestoreReport report = await RestoreAsync(made, new RestoreOptions { Target = folder.Root });
        Assert.True(report.IsComplete);
        Assert.Contains(report.Phases, phase => phase.Phase == RestorePhase.Flushing);
    }

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public async Task Nothing_is_flushed_on_request_and_in_a_drill(bool skipFlush, bool verifyOnly)
    {
        using TempFolder folder = new();
        using MadeBackup made = await MadeBackup.WriteAsync(files: 3, bytesEach: 200_000);
        RestoreReport report = await RestoreAsync(
            made,
            new RestoreOptions { Target = folder.Root, VerifyOnly = verifyOnly }.With(
                new ExecuteOptions { SkipFlush = skipFlush }
            )
        );
        Assert.True(report.IsComplete);
        Assert.DoesNotContain(report.Phases, phase => phase.Phase == RestorePhase.Flushing);
    }

    private static async Task<RestoreReport> RestoreAsync(MadeBackup made, RestoreSetup options)
    {
        await using Backup backup = await Backup.OpenAsync(made.Store);
        return await backup.RestoreAsync(backup.Versions[0], options);
    }
}
