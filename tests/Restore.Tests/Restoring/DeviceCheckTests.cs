using Restore.Ends;
using Restore.Memory;
using Restore.Restoring;

namespace Restore.Tests.Restoring;

/// <summary>Restored files are read again from the device.</summary>
public sealed class DeviceCheckTests
{
    [Fact]
    public async Task What_the_device_returns_is_compared_with_the_backup()
    {
        using TreeBackup tree = await TreeBackup.WriteAsync(files: 8, largeFiles: 1);
        using TempFolder folder = new();
        await using Backup backup = await Backup.OpenAsync(tree.Location);
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = folder.Root });
        RestoreReport report = await backup.ExecuteAsync(plan, new ExecuteOptions { VerifyAfter = true });
        Assert.True(report.IsComplete);

        // What a broken device does: other bytes in one file, fewer in another, none of a third.
        string[] files = [.. tree.Files.Where(path => tree.ContentOf(path).Length > 10).Select(folder.In)];
        byte[] content = await File.ReadAllBytesAsync(files[0]);
        content[^1] ^= 1;
        await File.WriteAllBytesAsync(files[0], content);
        await File.WriteAllBytesAsync(files[1], content.AsSpan(0, 5).ToArray());
        File.Delete(files[2]);
        using IRestoreTarget target = FileSystemTarget.Open(folder.Root);
        BufferPool pool = new();
        RestoreReport checkedAgain = new DeviceCheck(plan, target, pool).Check(
            report,
            TestContext.Current.CancellationToken
        );
        Assert.Equal(report.FilesRestored - 3, checkedAgain.FilesRestored);
        Assert.Equal(
            files[..3].Order(),
            checkedAgain
                .Issues.Where(issue => issue.Kind == IssueKind.Doubtful)
                .Select(issue => issue.TargetPath!)
                .Order()
        );
        Assert.Equal(
            2,
            checkedAgain.Issues.Count(issue =>
                issue.Reason.EndsWith("is not the recorded content", StringComparison.Ordinal)
            )
        );
        Assert.Contains(
            checkedAgain.Issues,
            issue =>
                issue.Reason.StartsWith("The file was restored, but cannot be read again", StringComparison.Ordinal)
        );
    }
}
